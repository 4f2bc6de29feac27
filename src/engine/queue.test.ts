import { describe, expect, it } from 'vitest'
import { CancelledError, FaultError } from '../base/fault'
import { SPAN_KINDS, type RunInfo, type Trace } from '../trace/schema'
import { RunContext } from './run-context'
import { fakeLabDevice, type FakeOptions } from './testing/fake-device'
import type { Dispatch } from './pipelines'

// Node has none of WebGPU's error classes.
Object.assign(globalThis, {
  GPUValidationError: class extends Error {},
  GPUOutOfMemoryError: class extends Error {},
})

const info: RunInfo = {
  experiment: 'test',
  params: {},
  derived: {},
  adapter: null,
  userAgent: 'test',
  crossOriginIsolated: true,
  startedAt: '2026-01-01T00:00:00.000Z',
  origin: 'live',
}

const call = {
  label: 'kernel',
  code: '',
  entryPoint: 'main',
  constants: {},
  uniforms: new ArrayBuffer(16),
  workgroups: [1, 1, 1] as const,
}

async function setup(options: FakeOptions = {}, record = true) {
  const { device, fake } = fakeLabDevice(options)
  const context = await RunContext.open(device, { record, hostStepUs: 5, deviceStepNs: 1, info })
  const dispatch: Dispatch = await context.dispatch(call, [])
  const step = (label: string) => {
    const encoding = context.queue.encode(label)
    encoding.pass('matmul', [dispatch], { flops: 10 })
    return context.queue.submit(label, [encoding])
  }
  return { context, fake, device, dispatch, step }
}

const kindsOf = (trace: Trace) => [...trace.spans.kind].map((kind) => SPAN_KINDS[kind])

describe('LabQueue', () => {
  it('records encode, submit, queued, wait and the device pass of a submission', async () => {
    const { context, step } = await setup()
    context.recorder.tag = { variant: 'never', repeat: 0, step: 3 }
    await context.queue.wait(step('step 3'))
    await context.queue.collect()
    const trace = context.recorder.freeze()
    expect(kindsOf(trace).sort()).toEqual(['compute', 'encode', 'host-wait', 'queued', 'submit'])
    expect(new Set(trace.spans.submission)).toEqual(new Set([0]))
    expect(new Set(trace.spans.step)).toEqual(new Set([3]))
    const device = kindsOf(trace).indexOf('compute')
    expect((trace.spans.end[device] ?? 0) - (trace.spans.start[device] ?? 0)).toBe(100_000)
    expect(trace.flows.length).toBe(2) // submit → pass, pass → wait
    expect(trace.snapshots).toHaveLength(1)
    expect(trace.snapshots[0]?.hostBeforeNs).toBeLessThanOrEqual(trace.snapshots[0]?.hostAfterNs ?? 0)
  })

  it('keeps ticks above 2^53 exact by counting from the first one', async () => {
    const { context, step } = await setup({
      originTick: 1_790_000_000_000_000_001n,
      gapTicks: 1,
      passTicks: 3,
    })
    await context.queue.wait(step('a'))
    await context.queue.wait(step('b'))
    await context.queue.collect()
    const trace = context.recorder.freeze()
    const passes = [...trace.spans.kind.keys()].filter(
      (span) => SPAN_KINDS[trace.spans.kind[span] ?? 0] === 'compute',
    )
    expect(passes.map((span) => [trace.spans.start[span], trace.spans.end[span]])).toEqual([
      [0, 3],
      [4, 7],
    ])
    expect(trace.clocks.at(-1)?.originTick).toBe('1790000000000000002')
  })

  it('resolves timestamps in a submission of its own, after the measured ones', async () => {
    const { context, fake, step } = await setup()
    await context.queue.wait(step('a'))
    await context.queue.wait(step('b'))
    expect(fake.log).not.toContain('resolve')
    await context.queue.collect()
    const at = fake.log.indexOf('resolve')
    expect(fake.log.slice(0, at).filter((line) => line === 'pass')).toHaveLength(2)
    expect(fake.log[at - 1]).toBe('submit timestamps')
  })

  it('counts depth up at submit and down when completion is heard', async () => {
    const { context, fake, step } = await setup({ autoComplete: false })
    const submissions = [step('a'), step('b'), step('c')]
    expect(context.queue.depth).toBe(3)
    fake.complete()
    await Promise.all(submissions.map((submission) => submission.completed))
    expect(context.queue.depth).toBe(0)
    const counter = context.recorder.freeze().counters[0]
    expect([...(counter?.value ?? [])]).toEqual([1, 2, 3, 2, 1, 0])
  })

  it('rejects zero and reversed timestamps, and counts them by reason', async () => {
    const { context, fake, step } = await setup()
    await context.queue.wait(step('zero'))
    fake.querySets[0]?.values.fill(0n)
    await context.queue.collect()
    await context.queue.wait(step('reversed'))
    const values = fake.querySets[0]?.values
    if (values) values[0] = (values[1] ?? 0n) + 5n
    await context.queue.collect()
    const trace = context.recorder.freeze()
    expect(trace.rejected).toEqual({ 'zero timestamp': 1, 'end before begin': 1 })
    expect(kindsOf(trace)).not.toContain('compute')
  })

  it('gives passes beyond 2048 no timestamps instead of failing', async () => {
    const { context, dispatch } = await setup()
    const encoding = context.queue.encode('many')
    for (let pass = 0; pass < 2050; pass += 1) encoding.pass('p', [dispatch])
    await context.queue.wait(context.queue.submit('many', [encoding]))
    await context.queue.collect()
    const trace = context.recorder.freeze()
    expect(kindsOf(trace).filter((kind) => kind === 'compute')).toHaveLength(2048)
    expect(trace.rejected['no free timestamp slot']).toBe(2)
  })

  it('works without timestamps: host spans only', async () => {
    const { context, step } = await setup({ timestamps: false })
    await context.queue.wait(step('a'))
    expect((await context.queue.collect()).size).toBe(0)
    expect(kindsOf(context.recorder.freeze())).not.toContain('compute')
  })

  it('records nothing and takes no timestamps with recording off', async () => {
    const { context, fake, step } = await setup({}, false)
    await context.queue.wait(step('a'))
    await context.queue.collect()
    expect(context.recorder.freeze().spans.length).toBe(0)
    expect(fake.log).not.toContain('resolve')
  })
})

describe('RunContext', () => {
  it('ends every await with the fault when the device is lost', async () => {
    const { context, fake, step } = await setup({ autoComplete: false })
    const run = context.use(async () => {
      await context.queue.wait(step('a'))
    })
    fake.lose()
    await expect(run).rejects.toBeInstanceOf(FaultError)
  })

  it('ends every await when cancelled, and frees all buffers', async () => {
    const { context, fake, step } = await setup({ autoComplete: false })
    const run = context.use(async () => {
      await context.queue.wait(step('a'))
    })
    context.cancel()
    await expect(run).rejects.toBeInstanceOf(CancelledError)
    expect(fake.buffers.every((buffer) => buffer.destroyed)).toBe(true)
    expect(fake.querySets.every((set) => set.destroyed)).toBe(true)
  })

  it('frees in the end also what a successful run made', async () => {
    const { context, fake } = await setup()
    await context.use(async () => {
      await context.buffer('x', 64, 0x80)
    })
    expect(fake.buffers.every((buffer) => buffer.destroyed)).toBe(true)
  })

  it('refuses a buffer above the limit before asking for it', async () => {
    const { context, fake } = await setup()
    const before = fake.buffers.length
    await expect(context.buffer('huge', 2 ** 40, 0x80)).rejects.toMatchObject({ fault: { code: 'limit' } })
    expect(fake.buffers).toHaveLength(before)
  })

  it('reports a shader by file and line, though the scope round the run caught an error too', async () => {
    const { context, fake } = await setup()
    // What Chromium does: the invalid module is a validation error besides.
    fake.nextError = new GPUValidationError('Invalid ShaderModule')
    const bad = { ...call, code: 'SYNTAX ERROR', locate: (line: number) => `shaders/x.wgsl:${String(line)}` }
    await expect(context.use(() => context.dispatch(bad, []))).rejects.toMatchObject({
      fault: { code: 'shader', data: { at: 'shaders/x.wgsl:3' } },
    })
  })

  it('goes on after an attempt that failed, with its fault in hand', async () => {
    const { context, fake } = await setup()
    const bad = { ...call, code: 'SYNTAX ERROR' }
    const outcomes = await context.use(async () => {
      fake.nextError = new GPUValidationError('Invalid ShaderModule')
      const illegal = await context.attempt(() => context.dispatch(bad, []))
      fake.nextError = new GPUValidationError('Invalid BindGroup')
      const refused = await context.attempt(() => Promise.resolve('done'))
      return [illegal, refused, await context.attempt(() => Promise.resolve('done'))]
    })
    expect(outcomes).toMatchObject([
      { ok: false, error: { code: 'shader' } },
      { ok: false, error: { code: 'validation' } },
      { ok: true, value: 'done' },
    ])
  })

  it('does not take a cancelled run, a lost device or a bug for an attempt that failed', async () => {
    const cancelled = await setup({ autoComplete: false })
    const run = cancelled.context.use(() =>
      cancelled.context.attempt(() => cancelled.context.queue.wait(cancelled.step('a'))),
    )
    cancelled.context.cancel()
    await expect(run).rejects.toBeInstanceOf(CancelledError)
    const lost = await setup({ autoComplete: false })
    const lostRun = lost.context.use(() =>
      lost.context.attempt(() => lost.context.queue.wait(lost.step('a'))),
    )
    lost.fake.lose()
    await expect(lostRun).rejects.toMatchObject({ fault: { code: 'device-lost' } })
    const { context } = await setup()
    const bug = () => Promise.reject(new TypeError('a bug'))
    await expect(context.use(() => context.attempt(bug))).rejects.toThrow('a bug')
  })

  it('names file and line of a shader that does not compile', async () => {
    const { context } = await setup()
    const bad = {
      ...call,
      code: 'SYNTAX ERROR',
      locate: (line: number) => `shaders/x.wgsl:${String(line - 2)}`,
    }
    await expect(context.dispatch(bad, [])).rejects.toMatchObject({
      fault: { code: 'shader', data: { at: 'shaders/x.wgsl:1' } },
    })
  })
})
