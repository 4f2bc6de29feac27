/**
 * Metrics by definition, verdicts by table, and no verdict 'shown' for programs that have the
 * effect taken out.
 */
import { describe, expect, it } from 'vitest'
import { findMetric, type Metric } from '../../trace/report'
import { judging } from '../testing/explained-by'
import { passageOf } from '../../text/card'
import { partsFor } from '../../text/template'
import { factsOf, fakeMetrics, FakeRun } from '../testing/fake-evidence'
import type { Evidence } from '../run-types'
import { overlappedUploads as declared } from './meta'
import { ringDepth } from './variants'
import { rules } from './verdict.md'

const { experiment: overlappedUploads, judged: of } = judging(declared, rules)
const judged = (metrics: readonly Metric[], evidence: Evidence) => of(evidence, metrics).verdict

describe('metrics of overlapped-uploads', () => {
  const lengths = { 'compute-only': 170, 'upload-only': 100, serial: 300, 'ring-2': 180 }
  const run = new FakeRun()
  for (const repeat of [0, 1, 2])
    for (const [variant, length] of Object.entries(lengths)) {
      const at = repeat * 1000
      run.window(variant, repeat, at, at + length)
      run.host('host-work', 'fill', variant, repeat, at, at + 2, 'fill')
    }
  const evidence = run.evidence({
    params: { steps: 16 },
    derived: { batchBytes: 64e6, steps: 10 },
    completionLatencyMs: 2,
  })
  const metrics = overlappedUploads.measure(evidence)
  const value = (name: string, variant: string) => findMetric(metrics, name, variant)?.value

  it('are as defined, over the steps that were run, with the completion lag as bound', () => {
    const overlap = findMetric(metrics, 'overlap-efficiency', 'ring-2')
    expect(overlap?.value).toBeCloseTo((170 + 100 - 180) / 100, 9)
    expect(overlap?.low).toBeCloseTo(0.9 - 0.02, 9)
    expect(value('overlap-efficiency', 'serial')).toBeCloseTo(-0.3, 9)
    expect(value('saved-of-serial', 'ring-2')).toBeCloseTo(1.2, 9)
    expect(value('step-ms', 'serial')).toBeCloseTo(30, 9)
    expect(value('fill-ms', 'ring-2')).toBeCloseTo(2, 9)
    expect(judged(metrics, evidence)).toMatchObject({ outcome: 'shown', reason: 'overlap' })
  })

  it('of a copy that was not timed are null, and nothing is said of its rate', () => {
    expect(value('device-copy-ms', 'ring-2')).toBeNull()
    expect(value('device-copy-gb-per-s', 'ring-2')).toBeNull()
    const text = explained(metrics, evidence, 'overlap')
    expect(text).toContain('⟨fill-ms ring-2⟩')
    expect(text).not.toContain('⟨device-copy')
  })
})

const base = {
  'step-ms compute-only': 17,
  'step-ms upload-only': 10,
  'step-ms serial': 30,
  'step-ms ring-2': 18,
  'overlap-efficiency serial': -0.3,
  'overlap-efficiency ring-2': 0.9,
  'saved-of-serial ring-2': 1.2,
  'host-free-ratio compute-only': 0.99,
}
type Over = Readonly<Record<string, number | readonly [number, number, number] | null>>

const evidenceOf = (over: Partial<Evidence> = {}): Evidence =>
  new FakeRun().evidence({ params: {}, derived: {}, ...over })

/** A rule's explanation; a quoted metric reads '⟨name variant⟩'. */
function explained(metrics: readonly Metric[], evidence: Evidence, reason: string): string {
  const facts = factsOf(metrics, evidence)
  const rule = overlappedUploads.rules.find((each) => each.reason === reason)
  if (!rule) throw new Error(`There is no rule '${reason}'.`)
  const reading = {
    facts,
    names: overlappedUploads.names(facts),
    metric: ({ name, variant }: Metric) => `⟨${name} ${variant}⟩`,
    withBounds: true,
  }
  return partsFor(passageOf(rule.explain), reading).join('\n')
}

describe('verdict of overlapped-uploads', () => {
  it.each([
    ['overlap', 'shown', {}, false],
    ['nothing-to-hide', 'inconclusive', { 'step-ms upload-only': 1 }, false],
    ['no-overlap', 'not-shown', { 'overlap-efficiency ring-2': 0.1 }, false],
    ['cores-shared', 'not-shown', { 'overlap-efficiency ring-2': 0.3 }, true],
    ['partial-overlap', 'not-shown', { 'overlap-efficiency ring-2': 0.3 }, false],
    ['intervals-overlap', 'inconclusive', { 'overlap-efficiency ring-2': [0.1, 0.4, 0.7] as const }, false],
    ['parts-disagree', 'inconclusive', { 'step-ms serial': 22, 'overlap-efficiency serial': 0.5 }, false],
    ['serial-as-fast', 'not-shown', { 'saved-of-serial ring-2': 0.06 }, false],
    ['intervals-overlap', 'inconclusive', { 'saved-of-serial ring-2': [0.3, 0.6, 0.9] as const }, false],
    ['parts-disagree', 'inconclusive', { 'overlap-efficiency ring-2': 1.6 }, false],
    ['parts-disagree', 'inconclusive', { 'overlap-efficiency ring-2': [1.01, 1.02, 1.03] as const }, false],
    ['overlap', 'shown', { 'overlap-efficiency ring-2': [0.98, 1.01, 1.04] as const }, false],
    ['serial-too-fast', 'inconclusive', { 'step-ms serial': 15 }, false],
    [
      'serial-too-fast',
      'inconclusive',
      { 'step-ms compute-only': [60, 98.7, 120] as const, 'step-ms serial': 71 },
      false,
    ],
    ['submit-blocks', 'not-shown', { 'host-free-ratio compute-only': 0.02 }, false],
    ['overlap', 'shown', { 'host-free-ratio compute-only': null }, false],
  ] as const)('%s is %s', (reason, outcome, over: Over, isSoftware) => {
    const metrics = fakeMetrics({ ...base, ...over })
    expect(judged(metrics, evidenceOf({ isSoftware }))).toMatchObject({ reason, outcome })
    expect(explained(metrics, evidenceOf({ isSoftware }), reason)).not.toMatch(
      /not measured|undefined|NaN|\{/,
    )
  })

  it('is inconclusive where a buffer is away for the report and not for its bytes', () => {
    const late = evidenceOf({ derived: { roundTripMs: 100, uploadDepth: 3 } })
    const metrics = fakeMetrics({ ...base, 'step-ms upload-only': 33, 'step-ms serial': 100 })
    expect(judged(metrics, late)).toMatchObject({ outcome: 'inconclusive', reason: 'reported-late' })
    const usual = evidenceOf({ derived: { roundTripMs: 3, uploadDepth: 3 } })
    expect(judged(fakeMetrics(base), usual)).toMatchObject({ reason: 'overlap' })
  })

  it('judges by the ring that hid most, and does not judge without samples', () => {
    const two = fakeMetrics({
      ...base,
      'overlap-efficiency ring-2': 0.1,
      'step-ms ring-4': 17.5,
      'overlap-efficiency ring-4': 0.95,
      'saved-of-serial ring-4': 1.2,
    })
    expect(judged(two, evidenceOf()).text).toContain('a ring of 4')
    const none = judged([], evidenceOf())
    expect(none).toMatchObject({ outcome: 'inconclusive', text: 'The run gave no samples to judge by.' })
  })
})

describe('explanation of overlapped-uploads', () => {
  const of = (over: Over) =>
    explained(fakeMetrics({ ...base, 'step-ms ring-1': 30, ...over }), evidenceOf(), 'overlap')

  it('gives no share above the whole of the shorter one', () => {
    const over = { 'overlap-efficiency ring-2': [0.6, 1.11, 1.3] as const }
    const verdict = judged(fakeMetrics({ ...base, ...over }), evidenceOf())
    expect(verdict).toMatchObject({ outcome: 'shown', reason: 'overlap' })
    expect(verdict.text).toContain('We can’t tell how much more')
    expect(judged(fakeMetrics(base), evidenceOf()).text).not.toContain('how much more')
  })

  it('does not speak of a spread where there was nothing to compare', () =>
    expect(explained([], evidenceOf(), 'intervals-overlap')).toBe('**The run gave no samples to judge by.**'))

  it('says what a ring of one gained, as measured', () => {
    expect(of({})).toContain('**One buffer showed no gain over serial:**')
    expect(of({ 'step-ms ring-1': 25 })).toContain('took less time than serial')
  })

  it('names the ring that was run', () => {
    const text = explained(
      fakeMetrics({
        'step-ms compute-only': 17,
        'step-ms upload-only': 10,
        'step-ms ring-4': 18,
        'overlap-efficiency ring-4': 0.9,
      }),
      evidenceOf(),
      'overlap',
    )
    expect(text).toContain('a ring of 4')
    expect(text).not.toContain('ring-2')
  })
})

/**
 * A host, a browser that carries bytes and a device, each doing one thing at a time: how long a
 * window of `variant` takes, ms.
 */
interface Machine {
  readonly fill: number
  readonly carry: number
  readonly compute: number
  /** ms from the end on the device to its report. */
  readonly report: number
  /** The effect taken out: submit() returns after the kernel's time, in every variant. */
  readonly blocks?: boolean
  /** True takes the effect out: carrying and computing exclude each other on a single core. */
  readonly oneCore?: boolean
}

const STEPS = 16

function windowOf(variant: string, machine: Machine): number {
  const { fill, carry, compute, report, blocks = false, oneCore = false } = machine
  const computes = variant !== 'upload-only'
  const uploads = variant !== 'compute-only'
  const depth = variant === 'serial' ? 1 : ringDepth(variant) || 3
  const back = Array<number>(depth).fill(0)
  let [host, browser, device] = [0, 0, 0]
  for (let step = 0; step < STEPS; step += 1) {
    if (uploads) {
      host = Math.max(host, back[step % depth] ?? 0, oneCore ? device : 0) + fill
      browser = Math.max(browser, host) + carry
      if (oneCore) host = browser
    }
    device = Math.max(device, uploads ? browser : host) + (computes ? compute : 0.1)
    if (blocks) host += compute
    back[step % depth] = device + report
    if (variant === 'serial') host = Math.max(host, device + report)
  }
  return Math.max(host, device + report)
}

/** `isRecorded` false: the verdict must come out of the windows alone. */
function verdictOn(machine: Machine, isRecorded: boolean) {
  const run = new FakeRun()
  let at = 0
  for (const repeat of [0, 1, 2])
    for (const variant of ['compute-only', 'upload-only', 'serial', 'ring-1', 'ring-2', 'ring-3']) {
      const length = windowOf(variant, machine) * (1 + 0.01 * repeat)
      run.window(variant, repeat, at, at + length)
      const submitting = machine.blocks ? STEPS * machine.compute : 0.1
      if (isRecorded) run.host('submit', 'submit', variant, repeat, at, at + submitting)
      at += length + 1
    }
  const evidence = run.evidence({
    params: { steps: STEPS },
    derived: { batchBytes: 32e6, steps: STEPS, roundTripMs: 3, uploadDepth: 3 },
    completionLatencyMs: machine.report,
  })
  return of(evidence).verdict
}

describe('the verdict on a modelled machine', () => {
  const healthy: Machine = { fill: 2, carry: 2.5, compute: 6.5, report: 1 }

  it.each([true, false])(
    'is shown where the effect is there, whichever of the two is longer (recorded: %s)',
    (isRecorded) => {
      expect(verdictOn(healthy, isRecorded)).toMatchObject({ outcome: 'shown', reason: 'overlap' })
      expect(verdictOn({ ...healthy, compute: 3 }, isRecorded)).toMatchObject({ outcome: 'shown' })
    },
  )

  it.each([1, 2, 6.5, 16])(
    'gives as its reason that submit() blocks, for kernels of %d ms, where that was recorded',
    (compute) => {
      expect(verdictOn({ ...healthy, blocks: true, compute }, true)).toMatchObject({
        outcome: 'not-shown',
        reason: 'submit-blocks',
      })
    },
  )

  it.each([
    ['submit() blocks for the kernel', { blocks: true }],
    ['one core does both', { oneCore: true }],
    ['submit() blocks, and the report is late', { blocks: true, report: 2.7 }],
    // A run once gave this: serial 17.0 ms, a ring 16.5, 99 % 'hidden'.
    [
      'submit() blocks, and kernels are long',
      { blocks: true, fill: 0.1, carry: 0.2, compute: 16.4, report: 0.3 },
    ],
  ] as const)('is never shown where %s', (_, change) => {
    for (const isRecorded of [true, false])
      expect(verdictOn({ ...healthy, ...change }, isRecorded).outcome).not.toBe('shown')
  })
})
