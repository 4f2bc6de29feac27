/**
 * The frame round every run: what a program, a check, a device or a visitor may do in it, and what
 * the run comes to then.
 */
import { beforeEach, describe, expect, it } from 'vitest'
import { CancelledError, FaultError } from '../base/fault'
import type { RunContext } from '../gpu'
import { createTick } from '../gpu/kernels/calibrate/tick'
import { timeDispatch } from '../gpu/kernels/calibrate/timing'
import { lineInStack } from '../recorder/lines'
import { spansOf } from '../recorder/testing/spans'
import { fakeRealm } from '../testing/fake-webgpu'
import type { Program } from '../lab/lab'
import { findMetric } from '../trace/report'
import { REPEAT_NONE, REPEAT_WARM_UP, type Trace } from '../trace/schema'
import { checkedOne, count, openBench, stubWebGpu, type Bench } from './testing/tiny'

let bench: Bench
beforeEach(() => {
  stubWebGpu()
  bench = openBench()
})

/**
 * Lists every member of every prototype that a session patches. An object with a member
 * `Symbol.iterator` would be compared as what it iterates.
 */
const members = () =>
  Object.entries(fakeRealm)
    .filter(([name]) => name.startsWith('GPU'))
    .map(([name, owner]) => {
      const { prototype } = owner as { readonly prototype: object }
      return [
        name,
        Reflect.ownKeys(prototype).map((key) => [key, Object.getOwnPropertyDescriptor(prototype, key)]),
      ]
    })
/**
 * A run leaves WebGPU as it was, no buffer and no open error scope; and on a device that lives the
 * next run is valid.
 */
async function expectNothingLeft(before: ReturnType<typeof members>, isAlive = true): Promise<void> {
  const { fake } = bench
  expect(members()).toEqual(before)
  expect(fake.buffers.filter(({ isDestroyed }) => !isDestroyed).map(({ label }) => label)).toEqual([])
  if (!isAlive) return
  expect(fake.scopes).toEqual([])
  expect(fake.uncaptured).toEqual([])
  const { report } = await bench.run()
  expect(report.validity).toEqual({ valid: true, reasons: [] })
}

const valueAt = <T>(column: ArrayLike<T>, index: number, none: T): T => column[index] ?? none
/** Spans of a variant and repeat, of a role, in the order of their calls. */
const calls = (trace: Trace, variant: string, repeat: number, role: string) =>
  spansOf(trace).filter(
    (span) =>
      span.role === role &&
      valueAt(trace.spans.repeat, span.index, 0) === repeat &&
      trace.strings[valueAt(trace.spans.variant, span.index, 0)] === variant,
  )

describe('the windows of a run', () => {
  it('go to and fro after a warm-up that does not count', async () => {
    const order: string[] = []
    const { report, context } = await bench.run({
      progress: ({ variant, repeat, region }) => {
        if (variant !== '' && region === undefined) order.push(`${variant}${String(repeat)}`)
      },
    })
    const warm = String(REPEAT_WARM_UP)
    expect(order).toEqual([`a${warm}`, `b${warm}`, 'a0', 'b0', 'b1', 'a1', 'a2', 'b2', 'b3', 'a3'])
    expect(report.warmUps).toBe(2)
    expect(findMetric(report.metrics, 'step-ms', 'a')?.n).toBe(4)
    const windows = spansOf(context.session.freeze(), { kind: 'window' })
    expect(windows.map(({ name }) => name).join('')).toBe('ababbaabba')
    expect(report.verdict).toMatchObject({ outcome: 'shown', reason: 'counted' })
  })

  it('are fewer of a variant that has fewer repeats, and the others go on without it', async () => {
    const { report, context } = await bench.run({ repeatsOf: { b: 2 } })
    const windows = spansOf(context.session.freeze(), { kind: 'window' })
    expect(windows.map(({ name }) => name).join('')).toBe('ababbaaa')
    expect([
      findMetric(report.metrics, 'step-ms', 'a')?.n,
      findMetric(report.metrics, 'step-ms', 'b')?.n,
    ]).toEqual([4, 2])
  })

  it('begin on a GPU that was kept busy, whose queue is empty again; a software adapter is left alone', async () => {
    const { context } = await openBench({ isSoftware: false }).run({ repeats: 2 })
    const trace = context.session.freeze()
    const spans = spansOf(trace)
    const windows = spans.filter(({ kind }) => kind === 'window')
    const ramps = spans.filter(({ role, name }) => role === 'submit' && name.includes('ramp'))
    const startOf = ({ index }: { readonly index: number }) => valueAt(trace.spans.start, index, 0)
    const endOf = ({ index }: { readonly index: number }) => valueAt(trace.spans.end, index, 0)
    // From submit() to completion as the host observes it.
    const underWay = spans.filter(({ kind }) => kind === 'queued')
    expect(underWay.length).toBeGreaterThan(windows.length)
    let before = 0
    for (const window of windows) {
      const own = ramps.filter((ramp) => startOf(ramp) > before && endOf(ramp) < startOf(window))
      expect(own.length).toBeGreaterThan(0)
      const across = underWay.filter(
        (each) => startOf(each) < startOf(window) && !(endOf(each) <= startOf(window)),
      )
      expect(across).toEqual([])
      before = endOf(window)
    }
    for (const { index } of ramps) {
      expect(valueAt(trace.spans.repeat, index, 0)).toBe(REPEAT_WARM_UP)
      expect(trace.strings[valueAt(trace.spans.variant, index, 0)]).toBe('ramp')
    }
    const soft = await bench.run({ repeats: 2 })
    expect(spansOf(soft.context.session.freeze()).filter(({ name }) => name.includes('ramp'))).toEqual([])
  })

  it('tag each call of a program with its step, repeat and line, and nothing that is not the program', async () => {
    let programUrl = ''
    const lines = { encode: 0, submit: 0, wait: 0 }
    const program: Program = async ({ device, lab }) => {
      for (const step of lab.steps(2)) {
        const here = lineInStack(new Error().stack, programUrl)
        const encoder = device.createCommandEncoder({ label: `own ${String(step)}` })
        encoder.beginComputePass({ label: 'count' }).end()
        device.queue.submit([encoder.finish()])
        Object.assign(lines, { encode: here + 1, submit: here + 3 })
      }
      lines.wait = lineInStack(new Error().stack, programUrl) + 1
      await device.queue.onSubmittedWorkDone()
    }
    programUrl =
      /((?:file:\/\/)?\/\S*run-experiment\.test\.ts[^:\s]*):\d+:\d+/.exec(new Error().stack ?? '')?.[1] ?? ''
    const { context } = await bench.run({
      program,
      programUrl,
      repeats: 2,
      check: () => Promise.resolve(checkedOne(true)),
    })
    const trace = context.session.freeze()
    for (const variant of ['a', 'b'])
      for (const repeat of [REPEAT_WARM_UP, 0, 1]) {
        const submits = calls(trace, variant, repeat, 'submit')
        expect(submits.map(({ step }) => step)).toEqual([0, 1])
        expect(submits.map(({ line }) => line)).toEqual([lines.submit, lines.submit])
        expect(calls(trace, variant, repeat, 'encode').map(({ line }) => line)).toEqual([
          lines.encode,
          lines.encode,
        ])
        expect(calls(trace, variant, repeat, 'wait-done').map(({ line }) => line)).toEqual([lines.wait])
        const passes = calls(trace, variant, repeat, 'pass')
        expect(passes.map(({ step, name }) => [step, name])).toEqual([
          [0, 'count'],
          [1, 'count'],
        ])
      }
    const clears = spansOf(trace).filter(({ role, name }) => role === 'submit' && name.includes('clear'))
    expect(clears.length).toBeGreaterThan(0)
    for (const { index, line } of clears)
      expect([valueAt(trace.spans.repeat, index, 0), line]).toEqual([REPEAT_NONE, -1])
  })

  it('are all checked, warm-ups too, each with what its program returned', async () => {
    const checked: string[] = []
    const { report } = await bench.run({
      check: (own, { variant, output }) => {
        checked.push(variant)
        expect(output).toEqual({ counted: 3 })
        return own()
      },
    })
    expect(checked.join('')).toBe('ababbaabba')
    expect(report.verification).toMatchObject({ checked: 10, failed: 0 })
  })

  it('are sent as they go, or all at once after the last of them', async () => {
    expect((await bench.run({ live: true })).chunks).toBeGreaterThan(1)
    expect((await bench.run({ live: false })).chunks).toBe(1)
  })
})

describe('a run is invalid, and shows nothing,', () => {
  const shown = { outcome: 'invalid', reason: 'run-invalid' }
  it('where one pass of one window did not take place', async () => {
    const { report } = await bench.run({ keep: (pass) => pass !== 11 })
    expect(report.verification).toMatchObject({ checked: 10, failed: 1 })
    expect(report.validity.valid).toBe(false)
    expect(report.verdict).toMatchObject(shown)
  })
  it('where a warm-up was wrong', async () => {
    const { report } = await bench.run({ keep: (pass) => pass !== 1 })
    expect(report.verdict).toMatchObject(shown)
  })
  it('where nothing was checked', async () => {
    const { report } = await bench.run({ check: () => Promise.resolve({ ...checkedOne(true), checked: 0 }) })
    expect(report.validity).toEqual({ valid: false, reasons: ['No result was checked.'] })
    expect(report.verdict).toMatchObject(shown)
  })
  it('where it was said so while it ran', async () => {
    const { report } = await bench.run({
      opened: (context) => context.invalidate('The tab was hidden.'),
    })
    expect(report.validity).toEqual({ valid: false, reasons: ['The tab was hidden.'] })
    expect(report.verdict).toMatchObject(shown)
  })
  it('where the clock of the device jumped', async () => {
    const { report } = await bench.run({
      check: (own) => {
        bench.fake.timeline.endedNs += 50e6
        return own()
      },
    })
    expect(report.clock.state).toBe('infeasible')
    expect(report.verdict).toMatchObject(shown)
  })
})

describe('a run that ends early', () => {
  /** Does something in the second step of its first measured window, then goes on. */
  const inTheMiddle =
    (what: () => void, reached: string[]): Program =>
    async (scope) => {
      let calls = 0
      const { device, lab } = scope
      for (const step of lab.steps(3)) {
        const encoder = device.createCommandEncoder({ label: `step ${String(step)}` })
        encoder.beginComputePass({ label: 'count' }).end()
        device.queue.submit([encoder.finish()])
        calls += 1
        reached.push(`step ${String(step)}`)
        if (calls === 2) what()
      }
      await device.queue.onSubmittedWorkDone()
      reached.push('end')
    }

  it('is cancelled in the middle of a program, which ends at its next call', async () => {
    const before = members()
    const reached: string[] = []
    let context: RunContext | null = null
    const program = inTheMiddle(() => context?.cancel(), reached)
    const running = bench.run({ program, opened: (opened) => (context = opened) })
    await expect(running).rejects.toBeInstanceOf(CancelledError)
    expect(reached).toEqual(['step 0', 'step 1'])
    await expectNothingLeft(before)
  })

  it('is cancelled while a program waits for something of its own', async () => {
    const before = members()
    let wasAlive = false
    let context: RunContext | null = null
    const program: Program = async ({ device }) => {
      setTimeout(() => context?.cancel(), 5)
      await new Promise((resolve) => setTimeout(resolve, 50))
      wasAlive = bench.fake.buffers.some(({ label, isDestroyed }) => label === 'word' && !isDestroyed)
      device.createCommandEncoder()
    }
    const running = bench.run({ program, opened: (opened) => (context = opened) })
    await expect(running).rejects.toBeInstanceOf(CancelledError)
    // A program's resources are destroyed after the program has ended.
    expect(wasAlive).toBe(true)
    await expectNothingLeft(before)
  })

  it('fails where the device is lost, and leaves the realm as it was', async () => {
    const before = members()
    const program = inTheMiddle(() => bench.fake.lose(), [])
    await expect(bench.run({ program })).rejects.toMatchObject({ fault: { code: 'device-lost' } })
    await expectNothingLeft(before, false)
  })

  it('fails with what a program threw', async () => {
    const before = members()
    const program = inTheMiddle(() => {
      throw new RangeError('a bug of its own')
    }, [])
    await expect(bench.run({ program })).rejects.toThrow('a bug of its own')
    await expectNothingLeft(before)
  })

  it('fails where no program was loaded for a variant, and where a check throws', async () => {
    const before = members()
    await expect(bench.run({ check: () => Promise.reject(new Error('no check')) })).rejects.toThrow(
      'no check',
    )
    await expectNothingLeft(before)
  })
})

describe('a command that WebGPU refuses is a fault', () => {
  const refuse = (what: string) => bench.fake.raise('validation', what)
  const tries: readonly (readonly [string, (once: () => void) => Parameters<Bench['run']>[0]])[] = [
    [
      'while the clocks are aligned',
      (once) => ({
        progress: ({ message }) => {
          if (message === 'aligning the clocks') once()
        },
      }),
    ],
    [
      'in prepare',
      (once) => ({
        prepare: () => {
          once()
          return Promise.resolve()
        },
      }),
    ],
    [
      'in a calibration',
      (once) => ({
        prepare: async (context, { deviceStepNs }) => {
          const tick = await createTick(context)
          onSubmit('calibration', once)
          await timeDispatch(context, tick, deviceStepNs)
        },
      }),
    ],
    [
      'in a program',
      (once) => ({
        program: (scope) => {
          once()
          return count(scope)
        },
      }),
    ],
    [
      'in a check',
      (once) => ({
        check: (own) => {
          once()
          return own()
        },
      }),
    ],
    [
      'before a window',
      (once) => ({
        opened: () => onSubmit('clear', once),
      }),
    ],
  ]
  /** Acts when something with this label is submitted for the first time. */
  function onSubmit(label: string, act: () => void): void {
    const { submitted } = bench.fake
    let isDone = false
    bench.fake.submitted = (labels) => {
      submitted(labels)
      if (isDone || !labels.includes(label)) return
      isDone = true
      act()
    }
  }

  it.each(tries)('%s', async (where, options) => {
    const before = members()
    let raised = 0
    const once = () => {
      raised += 1
      if (raised === 1) refuse(where)
    }
    const failure = await bench.run(options(once)).catch((thrown: unknown) => thrown)
    expect(raised).toBeGreaterThan(0)
    expect(failure).toBeInstanceOf(FaultError)
    expect(failure).toMatchObject({ fault: { code: 'validation', data: { message: where } } })
    await expectNothingLeft(before)
  })
})
