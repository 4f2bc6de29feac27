/** Timestamps of passes and copies: which are taken, which are refused, and what is counted. */
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import type { SessionOptions } from './session'
import { selfTestCopyTiming } from './copy-timing'
import { stepOfStamps } from './write-spans'
import {
  asDevice,
  macrotask,
  record,
  stopRecording,
  submitPass,
  USAGE,
  type Recording,
} from './testing/record'
import { spansOf } from './testing/spans'
import { FakeDevice, fakeRealm, type FakeOptions } from '../testing/fake-webgpu'
import { NOT_RESOLVED, type Trace } from '../trace/schema'

afterEach(stopRecording)

/** Collected and frozen. */
async function traceOf({ session }: Recording) {
  await session.collect()
  return session.freeze()
}

describe('stamps', () => {
  it('keep ticks above 2^53 exact by counting from the first one', async () => {
    const recording = record({ gapNs: 1, passNs: 3 })
    submitPass(recording.device, 'a')
    submitPass(recording.device, 'b')
    const trace = await traceOf(recording)
    expect(spansOf(trace, { kind: 'compute' }).map(({ start, end }) => [start, end])).toEqual([
      [0, 3],
      [4, 7],
    ])
    expect(trace.clocks.at(-1)?.originTick).toBe('1790000000000000001')
  })

  it('are resolved in a submission of the recorder’s own, after the program’s', async () => {
    const recording = record()
    submitPass(recording.device, 'a')
    submitPass(recording.device, 'b')
    await macrotask()
    expect(recording.fake.log).not.toContain('resolve')
    await traceOf(recording)
    expect(recording.fake.log).toEqual(['submit a', 'pass', 'submit b', 'pass', 'submit recorder: timestamps', 'resolve', 'copy recorder: timestamps -> recorder: timestamps read']) // oxfmt-ignore
    expect(recording.fake.buffers.every(({ isDestroyed }) => isDestroyed)).toBe(true)
  })

  it('that are zero, reversed or of an earlier run draw nothing, and are counted by reason', async () => {
    const recording = record()
    const { session, device, fake } = recording
    const values = () => fake.querySets[0]?.values ?? []
    submitPass(device, 'zero')
    values().fill(undefined)
    await session.collect()
    submitPass(device, 'reversed')
    values()[0] = (values()[1] ?? 0) + 5
    await session.collect()
    submitPass(device, 'sound')
    await session.collect()
    submitPass(device, 'stale')
    values().splice(0, 2, -2, -1)
    await session.collect()
    submitPass(device, 'long')
    values()[1] = (values()[1] ?? 0) + 1e10
    const trace = await traceOf(recording)
    expect(trace.rejected).toEqual({
      'zero timestamp': 1,
      'end before begin': 1,
      'ends before an earlier pass': 1,
      'longer than its round trip': 1,
    })
    expect(spansOf(trace, { kind: 'compute' })).toMatchObject([{ submission: 2 }])
  })

  it('leave the program’s descriptor as it is, and what it inherits', async () => {
    const recording = record()
    const { device } = recording
    const descriptor = Object.freeze(Object.create({ label: 'inherited' }) as GPUComputePassDescriptor)
    const encoder = device.createCommandEncoder()
    encoder.beginComputePass(descriptor).end()
    encoder.beginRenderPass({ label: 'frame', colorAttachments: [] }).end()
    device.queue.submit([encoder.finish()])
    const trace = await traceOf(recording)
    expect(Object.keys(descriptor)).toEqual([])
    expect(spansOf(trace, { kind: 'compute' }).map(({ role, name }) => [role, name])).toEqual([
      ['pass', 'inherited'],
      ['render-pass', 'frame'],
    ])
  })

  describe('of the program’s own', () => {
    const OWN = { beginningOfPassWriteIndex: 3, endOfPassWriteIndex: 2 }
    const setup = () => {
      const recording = record()
      const { device } = recording
      const querySet = device.createQuerySet({ type: 'timestamp', count: 4 })
      const target = device.createBuffer({ size: 256, usage: 0x200 })
      const encoded = (resolves: boolean, writes: Partial<typeof OWN> = OWN) => {
        const encoder = device.createCommandEncoder()
        const timestampWrites = { querySet, ...writes }
        encoder.beginComputePass({ label: 'own', timestampWrites }).end()
        if (resolves) encoder.resolveQuerySet(querySet, 1, 3, target, 0)
        return encoder.finish()
      }
      return { ...recording, recording, querySet, target, encoded }
    }
    const lengths = (trace: Trace) =>
      spansOf(trace, { kind: 'compute' }).map(({ name, start, end }) => [name, end - start])

    it('stay, and are read whenever it resolves them, though each frame writes the same', async () => {
      const { recording, session, device, fake, encoded } = setup()
      for (let frame = 0; frame < 3; frame += 1) device.queue.submit([encoded(true)])
      expect(session.waitingStamps).toBeGreaterThan(0)
      submitPass(device, 'of the recorder')
      const trace = await traceOf(recording)
      const own = fake.querySets.at(-1)?.values ?? []
      expect((own[2] ?? 0) - (own[3] ?? 0)).toBe(100_000)
      expect([...lengths(trace), trace.rejected]).toEqual([
        ['own', 100_000],
        ['own', 100_000],
        ['own', 100_000],
        ['matmul', 100_000],
        {},
      ])
      session.stop()
      expect(fake.buffers.filter(({ label }) => label.startsWith('recorder')).every(({ isDestroyed }) => isDestroyed)).toBe(true) // oxfmt-ignore
    })

    it('are counted where it never resolves them, or takes one alone', async () => {
      const { recording, device, querySet, target, encoded } = setup()
      device.queue.submit([encoded(false), encoded(true, { endOfPassWriteIndex: 2 })])
      const encoder = device.createCommandEncoder()
      encoder.resolveQuerySet(querySet, 0, 2, target, 0)
      device.queue.submit([encoder.finish()])
      const trace = await traceOf(recording)
      expect([lengths(trace), trace.rejected]).toEqual([[], { [NOT_RESOLVED]: 2 }])
    })

    it('may be resolved by a later command buffer; one that is never submitted gives nothing', async () => {
      const { recording, session, device, fake, querySet, target, encoded } = setup()
      device.queue.submit([encoded(false)])
      const encoder = device.createCommandEncoder()
      encoder.resolveQuerySet(querySet, 0, 4, target, 0)
      device.queue.submit([encoder.finish()])
      const kept = encoded(true)
      await session.collect()
      expect(fake.buffers.filter(({ label }) => label.endsWith('of the page')).map(({ isDestroyed }) => isDestroyed)).toEqual([false]) // oxfmt-ignore
      device.queue.submit([kept])
      const trace = await traceOf(recording)
      expect([lengths(trace), trace.rejected]).toEqual([
        [
          ['own', 100_000],
          ['own', 100_000],
        ],
        {},
      ])
    })
  })

  it('grow with the passes, up to a bound; the passes beyond it are counted', async () => {
    const recording = record({ passNs: 1, gapNs: 0 })
    const { device, fake } = recording
    const encoder = device.createCommandEncoder()
    const passes = 16 * 2048 + 3
    for (let pass = 0; pass < passes; pass += 1) encoder.beginComputePass().end()
    device.queue.submit([encoder.finish()])
    const trace = await traceOf(recording)
    expect(fake.querySets).toHaveLength(16)
    expect(spansOf(trace, { kind: 'compute' })).toHaveLength(passes - 3)
    expect(trace.rejected).toEqual({ 'no free timestamp slot': 3 })
    submitPass(device, 'again')
    expect(spansOf(await traceOf(recording), { kind: 'compute' })).toHaveLength(passes - 2)
    expect(fake.querySets).toHaveLength(16)
  })

  it('of encoders that are never submitted are not used again while these might be', async () => {
    const recording = record()
    const { session, device, fake } = recording
    const encoder = device.createCommandEncoder({ label: 'thrown away' })
    encoder.beginComputePass().end()
    submitPass(device, 'a')
    await session.collect()
    submitPass(device, 'b')
    await session.collect()
    expect(fake.querySets).toHaveLength(2)
    expect(fake.querySets[0]?.isDestroyed).toBe(false)
    session.stop()
    expect(fake.querySets.map(({ isDestroyed }) => isDestroyed)).toEqual([false, true])
    expect(session.freeze().rejected).toEqual({ 'command encoder not finished': 1 })
  })

  it('carry the work that the program adds to a pass, and give its duration', async () => {
    const recording = record()
    const { session, device } = recording
    const encoder = device.createCommandEncoder()
    const pass = encoder.beginComputePass()
    session.work(pass, { flops: 10, bytes: 4 })
    session.work(pass, { flops: 5 })
    pass.end()
    device.queue.submit([encoder.finish()])
    expect(session.ticksOf(pass)).toBeUndefined()
    const trace = await traceOf(recording)
    expect(session.ticksOf(pass)).toBe(100_000)
    const [span] = spansOf(trace, { kind: 'compute' })
    expect([trace.spans.flops[span?.index ?? -1], span?.bytes]).toEqual([15, 4])
  })

  it('are named after the label, else the debug group, else what they are', async () => {
    const recording = record()
    const { device } = recording
    const encoder = device.createCommandEncoder()
    encoder.pushDebugGroup('step 4')
    encoder.beginComputePass({ label: 'matmul' }).end()
    encoder.beginComputePass().end()
    encoder.popDebugGroup()
    const pass = encoder.beginComputePass()
    pass.pushDebugGroup('attention')
    pass.end()
    encoder.beginComputePass().end()
    device.queue.submit([encoder.finish()])
    const trace = await traceOf(recording)
    expect(spansOf(trace, { kind: 'compute' }).map(({ name }) => name)).toEqual(['matmul', 'step 4', 'attention', 'pass']) // oxfmt-ignore
  })

  it('give the clock its step where nobody knows it', async () => {
    const recording = record({ stepNs: 2 ** 16 })
    const { session, device } = recording
    session.attach(device, { deviceStepNs: null })
    for (const label of ['a', 'b', 'c', 'd']) submitPass(device, label)
    expect((await traceOf(recording)).clocks.at(-1)?.stepNs).toBe(2 ** 16)
    const set = { querySet: {} as GPUQuerySet, used: 4, outstanding: 0, writes: [] }
    expect(stepOfStamps(new Map([[set, new BigUint64Array([0n, 1001n, 1033n, 1129n])]]))).toBe(32)
    expect(stepOfStamps(new Map([[set, new BigUint64Array([5n, 5n])]]))).toBe(1)
  })

  it('stand in error scopes of the recorder’s own: the program’s catch the program’s errors alone', async () => {
    const recording = record()
    const { session, device, fake } = recording
    device.pushErrorScope('validation')
    submitPass(device, 'a')
    await session.collect()
    fake.raise('validation', 'of the program')
    expect((await device.popErrorScope())?.message).toBe('of the program')
    await expect(device.popErrorScope()).rejects.toThrow('No error scope is open')
  })

  it.each([
    ['buffers', 'createBuffer', 1],
    ['a second query set', 'createQuerySet', 2100],
  ] as const)(
    'for whose %s there is no memory are missing: the program goes on, and it is said',
    async (_, call, passes) => {
      const prototype = fakeRealm.GPUDevice.prototype as unknown as Record<
        string,
        (descriptor: unknown) => unknown
      >
      const native = prototype[call] ?? (() => undefined)
      let isFull = false
      // As WebGPU does it: an object that is no good, and an error in the scope.
      prototype[call] = function (this: FakeDevice, descriptor) {
        if (isFull) this.raise('out-of-memory', 'out of memory')
        return native.call(this, descriptor)
      }
      onTestFinished(() => {
        prototype[call] = native
      })
      const { session, device } = record()
      isFull = true
      const encoder = device.createCommandEncoder()
      for (let pass = 0; pass < passes; pass += 1) encoder.beginComputePass().end()
      device.queue.submit([encoder.finish()])
      await macrotask()
      await session.collect()
      expect(session.hasLostStamps).toBe(true)
      submitPass(device, 'goes on')
      await session.collect()
      expect(spansOf(session.freeze(), { role: 'submit' })).toHaveLength(2)
      session.stop() // before the prototype is put back
    },
  )

  it('of a lost device are counted, not waited for', async () => {
    const recording = record()
    submitPass(recording.device, 'a')
    await macrotask()
    recording.fake.lose()
    const trace = await traceOf(recording)
    expect(trace.rejected).toEqual({ 'device times that were lost with their device': 1 })
    expect(spansOf(trace).map(({ kind }) => kind)).toEqual(['encode', 'submit', 'queued'])
  })

  it('that were read before a device was destroyed stay, and what comes after it is void', async () => {
    const vain: string[] = []
    const recording = record(
      {},
      {
        rows: ({ writer }) => {
          writer.onVain = (why) => vain.push(why)
          return []
        },
      },
    )
    const { session, device } = recording
    submitPass(device, 'read')
    await macrotask()
    await session.collect()
    submitPass(device, 'not read')
    device.destroy()
    submitPass(device, 'too late')
    const second = asDevice(new FakeDevice({}))
    submitPass(second, 'of another device')
    second.queue.submit([])
    await macrotask()
    const trace = await traceOf(recording)
    expect(vain).toEqual(['void', 'empty'])
    expect(spansOf(trace, { role: 'submit' }).map(({ name }) => name)).toEqual([
      'submit read',
      'submit not read',
      'submit to a lost device',
      'submit of another device',
      'submit',
    ])
    expect(spansOf(trace, { role: 'pass' }).map(({ lane }) => lane)).toEqual(['device', 'device 2'])
    expect(trace.rejected).toMatchObject({ 'device times that were lost with their device': 1 })
  })
})

const stamping = (options: Partial<SessionOptions>, fake: FakeOptions = {}) => record(fake, options)

describe('outer stamps', () => {
  it('are one span a command buffer, from its first pass to its end, with all its work', async () => {
    const recording = stamping({ stamp: 'outer' }, { passNs: 1000, gapNs: 100 })
    const { session, device, fake } = recording
    const encoder = device.createCommandEncoder()
    for (const label of ['a', 'b', 'c']) {
      const pass = encoder.beginComputePass({ label })
      session.work(pass, { flops: 1 })
      pass.end()
    }
    device.queue.submit([encoder.finish()])
    const trace = await traceOf(recording)
    const [span, ...more] = spansOf(trace, { kind: 'compute' })
    expect(more).toEqual([])
    expect(span?.name).toBe('passes')
    expect(trace.spans.flops[span?.index ?? -1]).toBe(3)
    // Three passes and the empty one that ends them.
    expect((span?.end ?? 0) - (span?.start ?? 0)).toBe(4 * 1000)
    expect(fake.log.filter((line) => line === 'pass')).toHaveLength(4)
  })
})

describe('no stamps', () => {
  it('asks for none', async () => {
    const recording = stamping({ stamp: 'none' })
    submitPass(recording.device, 'a')
    const trace = await traceOf(recording)
    expect(recording.fake.querySets).toEqual([])
    expect(spansOf(trace).map(({ kind }) => kind)).toEqual(['encode', 'submit', 'queued'])
  })
})

describe('copies', () => {
  const setup = (fake: FakeOptions, minBytes = 1024) => {
    const recording = stamping({ timeCopies: { minBytes } }, fake)
    const { device, session } = recording
    session.attach(device, { deviceStepNs: 1, copyTimingWorks: true })
    const staging = device.createBuffer({
      label: 'staging 0',
      size: 4096,
      usage: USAGE.mapWrite | USAGE.copySrc,
    })
    const target = device.createBuffer({ label: 'a', size: 4096, usage: USAGE.copyDst })
    return { ...recording, recording, staging, target }
  }

  it('between a mappable buffer and another are bracketed, neighbours together, and tied to the fill', async () => {
    const { recording, device, staging, target } = setup({ byteNs: 1, passNs: 0, gapNs: 0 })
    await staging.mapAsync(2)
    staging.getMappedRange()
    staging.unmap()
    const encoder = device.createCommandEncoder({ label: 'step 0' })
    encoder.copyBufferToBuffer(staging, 0, target, 0, 2048)
    encoder.copyBufferToBuffer(staging, 2048, target, 2048, 2048)
    encoder.beginComputePass({ label: 'matmul' }).end()
    encoder.copyBufferToBuffer(staging, 0, target, 0, 512)
    device.queue.submit([encoder.finish()])
    const trace = await traceOf(recording)
    expect(trace.rejected).toEqual({})
    expect(spansOf(trace, { lane: 'device' }).map(({ kind, role, name, bytes, start, end }) => [kind, role, name, bytes, end - start])).toEqual([
      ['transfer', 'copy', 'copy from staging 0', 4096, 4096],
      ['compute', 'pass', 'matmul', NaN, 0],
    ]) // oxfmt-ignore
    const [filled] = spansOf(trace, { kind: 'staging-filled' })
    const [copy] = spansOf(trace, { kind: 'transfer' })
    const flows = [...trace.flows.from].map((from, index) => [from, trace.flows.to[index]])
    expect(flows).toContainEqual([filled?.index, copy?.index])
  })

  it('are left alone below the bound, where the self-test failed, and between other buffers', async () => {
    const { recording, session, device, fake, staging, target } = setup({})
    session.attach(device, { deviceStepNs: 1, copyTimingWorks: false })
    const encoder = device.createCommandEncoder()
    encoder.copyBufferToBuffer(staging, 0, target, 0, 4096)
    device.queue.submit([encoder.finish()])
    session.attach(device, { deviceStepNs: 1, copyTimingWorks: true })
    const second = device.createCommandEncoder()
    second.copyBufferToBuffer(staging, 0, target, 0, 512)
    second.copyBufferToBuffer(target, 0, target, 2048, 2048)
    device.queue.submit([second.finish()])
    const trace = await traceOf(recording)
    expect(fake.log).not.toContain('pass')
    expect(spansOf(trace, { kind: 'transfer' })).toEqual([])
  })

  it.each([
    ['scales with the bytes', { byteNs: 1, passNs: 0 }, true],
    ['does not', { byteNs: 0, passNs: 1000 }, false],
    ['has no timestamps', { timestamps: false }, false],
  ] as const)('are timed where the self-test %s', async (_, fake, works) => {
    const { session, device, fake: created } = record(fake)
    expect(await selfTestCopyTiming(device, session, { bytes: [1 << 12, 1 << 16] })).toBe(works)
    expect(created.buffers.every(({ isDestroyed }) => isDestroyed)).toBe(true)
    expect(spansOf(session.freeze())).toEqual([])
  })
})
