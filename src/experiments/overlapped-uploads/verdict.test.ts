/** Metrics by definition, verdicts by table, and no verdict 'shown' for programs that have the effect taken out. */
import { describe, expect, it } from 'vitest'
import { findMetric, type Metric } from '../../trace/report'
import { judge } from '../declare'
import { passageOf } from '../../text/card'
import { wordsFor } from '../../text/passage'
import { factsOf, fakeMetrics, FakeRun } from '../testing/fake-evidence'
import type { Evidence } from '../run-types'
import { overlappedUploads as declared } from './meta'
import { isMaking, madeAhead, ringDepth } from './variants'
import { rules } from './verdict.md'

const overlappedUploads = { ...declared, rules }

const judged = (metrics: readonly Metric[], evidence: Evidence) =>
  judge(overlappedUploads, factsOf(metrics, evidence))

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
    expect(value('versus-ideal', 'ring-2')).toBeCloseTo(180 / 170, 9)
    expect(value('saved-of-serial', 'ring-2')).toBeCloseTo(1.2, 9)
    expect(value('upload-gb-per-s', 'upload-only')).toBeCloseTo(6.4, 9)
    expect(value('upload-gb-per-s', 'compute-only')).toBeUndefined()
    expect(value('step-ms', 'serial')).toBeCloseTo(30, 9)
    expect(value('fill-ms', 'ring-2')).toBeCloseTo(2, 9)
    expect(judged(metrics, evidence)).toMatchObject({ outcome: 'shown', reason: 'overlap' })
  })

  it('of a copy that was not timed are null, and nothing is said of its rate', () => {
    expect(value('device-copy-ms', 'ring-2')).toBeNull()
    expect(value('device-copy-gb-per-s', 'ring-2')).toBeNull()
    const text = explained(metrics, evidence, 'overlap')
    expect(text).toContain('⟨fill-ms ring-2⟩')
    expect(text).not.toMatch(/PCIe|copy on the device/)
  })
})

const base = {
  'step-ms compute-only': 17,
  'step-ms upload-only': 10,
  'step-ms serial': 30,
  'step-ms ring-2': 18,
  'versus-ideal serial': 1.76,
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
  return wordsFor(passageOf(rule.explain), reading).join('\n')
}

describe('verdict of overlapped-uploads', () => {
  it.each([
    ['overlap', 'shown', {}, false],
    ['nothing-to-hide', 'inconclusive', { 'step-ms upload-only': 1 }, false],
    ['no-overlap', 'not-shown', { 'overlap-efficiency ring-2': 0.1 }, false],
    ['cores-shared', 'not-shown', { 'overlap-efficiency ring-2': 0.3 }, true],
    ['partial-overlap', 'not-shown', { 'overlap-efficiency ring-2': 0.3 }, false],
    ['intervals-overlap', 'inconclusive', { 'overlap-efficiency ring-2': [0.1, 0.4, 0.7] as const }, false],
    ['serial-beats-sum', 'inconclusive', { 'step-ms serial': 22, 'overlap-efficiency serial': 0.5 }, false],
    ['serial-as-fast', 'not-shown', { 'saved-of-serial ring-2': 0.06 }, false],
    ['intervals-overlap', 'inconclusive', { 'saved-of-serial ring-2': [0.3, 0.6, 0.9] as const }, false],
    ['more-than-all', 'inconclusive', { 'overlap-efficiency ring-2': 1.6 }, false],
    ['more-than-all', 'inconclusive', { 'overlap-efficiency ring-2': [1.01, 1.02, 1.03] as const }, false],
    ['overlap', 'shown', { 'overlap-efficiency ring-2': [0.98, 1.01, 1.04] as const }, false],
    ['serial-too-fast', 'inconclusive', { 'step-ms serial': 15, 'versus-ideal serial': 0.88 }, false],
    [
      'serial-too-fast',
      'inconclusive',
      { 'step-ms compute-only': [60, 98.7, 120] as const, 'step-ms serial': 71, 'versus-ideal serial': 0.72 },
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
    expect(judged(two, evidenceOf()).text).toContain('a ring of four')
    const none = judged([], evidenceOf())
    expect(none).toMatchObject({ outcome: 'inconclusive', text: 'The run gave no samples to judge by.' })
  })

  it('of a run whose uploads did not arrive, or whose work was skipped, is invalid', () => {
    const facts = factsOf(fakeMetrics(base), evidenceOf())
    const verification = { ...facts.verification, checked: 512, failed: 296 }
    expect(judge(overlappedUploads, { ...facts, verification }).outcome).toBe('invalid')
  })
})

describe('explanation of overlapped-uploads', () => {
  const of = (over: Over, params: Evidence['params'] = {}, reason = 'overlap') =>
    explained(fakeMetrics({ ...base, 'step-ms ring-1': 30, ...over }), evidenceOf({ params }), reason)

  it('gives no share above the whole of the shorter one', () => {
    const over = { 'overlap-efficiency ring-2': [0.6, 1.11, 1.3] as const }
    const verdict = judged(fakeMetrics({ ...base, ...over }), evidenceOf())
    expect(verdict).toMatchObject({ outcome: 'shown', reason: 'overlap' })
    expect(verdict.text).toContain('How much more is not known')
    expect(of(over)).toContain('the share is not known')
    expect(of({})).not.toContain('not known')
  })

  it('says why it stopped: the share, or what is saved against serial', () => {
    const text = (over: Over) => judged(fakeMetrics({ ...base, ...over }), evidenceOf()).text
    expect(text({ 'overlap-efficiency ring-2': [0.1, 0.4, 0.7] })).toContain('the interval reaches across')
    expect(text({ 'saved-of-serial ring-2': [0.3, 0.6, 0.9] })).toContain('against serial')
  })

  it('does not speak of a spread where there was nothing to compare', () => {
    expect(explained([], evidenceOf(), 'intervals-overlap')).toBe('**The run gave no samples to judge by.**')
  })

  it('says what a ring of one gained, as measured', () => {
    expect(of({})).toContain('**One buffer gains nothing sure.**')
    expect(of({ 'step-ms ring-1': 25 })).toContain('took less time than serial')
    const split = { submission: 'split' }
    const overlaps = { 'step-ms ring-1': 25, 'overlap-efficiency ring-1': 0.4 }
    expect(of(overlaps, split)).toContain('Even a ring of one beat serial')
    expect(of({ ...overlaps, 'overlap-efficiency ring-1': 0.1 }, split)).not.toContain('Even a ring')
    expect(of({ 'step-ms ring-1': 35 })).toContain('took longer than serial')
  })

  it('says that serial took more than the sum only where it did', () => {
    expect(of({})).toContain('more than the sum')
    expect(of({ 'step-ms serial': 27 })).not.toContain('more than the sum')
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
    expect(text).toContain('a ring of four')
    expect(text).not.toContain('ring-2')
  })

  it('claims of the bus what the rate of the copy allows', () => {
    const at = (low: number, value: number, isSoftware = false) =>
      explained(
        fakeMetrics({
          ...base,
          'device-copy-ms ring-2': 0.1,
          'device-copy-gb-per-s ring-2': [low, value, 2 * value],
        }),
        evidenceOf({ isSoftware }),
        'overlap',
      )
    expect(at(350, 400)).toContain('crossed none')
    expect(at(20, 30)).toContain('may be the crossing itself')
    expect(at(350, 400, true)).toContain('no bus')
    // Coarse stamps: nothing is claimed either way.
    expect(at(40, 100)).not.toMatch(/crossed none|the crossing itself|no bus/)
  })
})

/** A host, a browser that carries bytes and a device, each doing one thing at a time: how long a window of `variant` takes, ms. */
interface Machine {
  readonly fill: number
  readonly carry: number
  readonly compute: number
  /** From the end on the device to its report. */
  readonly report: number
  /** The effect taken out: submit() returns after the kernel's time, in every variant. */
  readonly blocks?: boolean
  /** The effect taken out: carrying and computing exclude each other, as on a single core. */
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
  return judged(overlappedUploads.measure(evidence), evidence)
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
    // As was seen: serial 17.0 ms, a ring 16.5, 99 % 'hidden'.
    [
      'submit() blocks, and kernels are long',
      { blocks: true, fill: 0.1, carry: 0.2, compute: 16.4, report: 0.3 },
    ],
  ] as const)('is never shown where %s', (_, change) => {
    for (const isRecorded of [true, false])
      expect(verdictOn({ ...healthy, ...change }, isRecorded).outcome).not.toBe('shown')
  })
})

describe('metrics where batches are made', () => {
  const run = new FakeRun()
  const lane = run.builder.addLane({ kind: 'host', name: 'host (loader)', clock: 0, group: 'host' })
  const lengths = { 'ring-2': 160, inline: 320, 'worker-2': 180 }
  for (const repeat of [0, 1, 2])
    for (const [variant, length] of Object.entries(lengths)) {
      const at = repeat * 1000
      run.window(variant, repeat, at, at + length)
      run.host('submit', 'submit', variant, repeat, at, at + 18)
      if (variant === 'inline') run.host('host-work', 'make', variant, repeat, at + 20, at + 30, 'compute')
      if (variant !== 'worker-2') continue
      const [start, end] = [at * 1e6, (at + 12) * 1e6]
      const name = 'make batch 0'
      run.builder.addSpan({ lane, kind: 'host-work', role: 'compute', name, start, end, variant, repeat })
      run.host('host-wait', 'the next batch', variant, repeat, at + 30, at + 50, 'wait-batch')
    }
  const metrics = overlappedUploads.measure(
    run.evidence({ params: { loader: ['inline', 'worker-2'] }, derived: { batchBytes: 64, steps: 10 } }),
  )
  const value = (name: string, variant: string) => findMetric(metrics, name, variant)?.value

  it('are as defined', () => {
    expect(value('making-hidden', 'worker-2')).toBeCloseTo((320 - 180) / (320 - 160), 9)
    expect(value('making-adds', 'inline')).toBeCloseTo(1, 9)
    expect(value('make-ms', 'inline')).toBeCloseTo(10, 9)
    expect(value('make-ms', 'worker-2')).toBeCloseTo(12, 9)
    expect(value('batch-wait-ms', 'worker-2')).toBeCloseTo(2, 9)
    expect(value('making-over-step', 'worker-2')).toBeCloseTo(12 / 18, 9)
    for (const name of ['overlap-efficiency', 'saved-of-serial', 'versus-ideal'])
      expect(value(name, 'worker-2')).toBeUndefined()
  })

  it('do not count the worker’s making as the host’s', () => {
    expect(value('host-free-ratio', 'worker-2')).toBeCloseTo(1 - 18 / 180, 9)
    expect(value('host-free-ratio', 'inline')).toBeCloseTo(1 - 28 / 320, 9)
  })
})

describe('the verdict where batches are made', () => {
  const loaderBase = {
    ...base,
    'step-ms inline': 32,
    'making-adds inline': 0.78,
    'make-ms inline': 16,
    'step-ms worker-2': 19,
    'making-hidden worker-2': 0.93,
    'make-ms worker-2': 16,
    'making-over-step worker-2': 0.84,
  }
  const GONE = { 'step-ms worker-2': null, 'making-hidden worker-2': null, 'making-over-step worker-2': null }

  it.each([
    ['worker-hides', 'shown', {}, false],
    ['worker-hides', 'shown', {}, true],
    ['made-in-passing', 'inconclusive', { 'making-adds inline': 0.05 }, false],
    ['better-than-at-hand', 'inconclusive', { 'making-hidden worker-2': 1.4 }, false],
    ['no-core-to-spare', 'not-shown', { 'making-hidden worker-2': 0.2 }, true],
    [
      'worker-too-slow',
      'not-shown',
      { 'making-hidden worker-2': 0.3, 'making-over-step worker-2': 0.97 },
      false,
    ],
    ['worker-too-slow', 'not-shown', { 'making-hidden worker-2': 0.3, 'make-ms worker-2': 24 }, false],
    ['worker-hides-little', 'not-shown', { 'making-hidden worker-2': 0.2 }, false],
    ['making-unclear', 'inconclusive', { 'making-hidden worker-2': [0.2, 0.6, 0.9] as const }, false],
    ['making-unclear', 'inconclusive', { 'making-hidden worker-2': null }, false],
    ['one-side', 'inconclusive', GONE, false],
    ['one-side', 'inconclusive', { 'step-ms inline': null }, false],
  ] as const)('%s is %s', (reason, outcome, over: Over, isSoftware) => {
    const metrics = fakeMetrics({ ...loaderBase, ...over })
    const evidence = evidenceOf({ isSoftware, derived: { hostCores: 2, augmentations: 7, loaderFailed: 0 } })
    expect(judged(metrics, evidence)).toMatchObject({ reason, outcome })
    expect(explained(metrics, evidence, reason)).not.toMatch(/not measured|undefined|NaN|\{/)
  })

  it('says why there is no worker, and how many cores there are', () => {
    const derived = { loaderFailed: 1, loaderProblem: 'no worker could be started: refused', hostCores: 2 }
    const none = judged(fakeMetrics({ ...loaderBase, ...GONE }), evidenceOf({ derived }))
    expect(none).toMatchObject({ outcome: 'inconclusive', reason: 'no-worker' })
    expect(none.text).toContain('no worker could be started: refused.')
    const cores = (hostCores: number) =>
      explained(
        fakeMetrics(loaderBase),
        evidenceOf({ isSoftware: true, derived: { ...derived, hostCores } }),
        'no-core-to-spare',
      )
    expect(cores(2)).toContain('it has 2, which are too few')
    expect(cores(16)).toContain('takes as many of them as it gets')
  })

  it('says what a larger reserve did, and whether the loop waited', () => {
    const text = (over: Over) =>
      explained(fakeMetrics({ ...loaderBase, ...over }), evidenceOf(), 'worker-hides')
    expect(text({})).not.toContain('ahead gained')
    expect(text({ 'step-ms worker-8': 19 })).toContain(
      '**More ahead gained nothing sure.** Making eight batches',
    )
    expect(text({ 'step-ms worker-8': 17 })).toContain('Making eight batches ahead helped')
    expect(text({ 'step-ms worker-8': 22 })).toContain('made a step longer')
    expect(text({})).toContain('never had to wait')
    expect(text({ 'batch-wait-ms worker-2': 0.4 })).toContain('In a step the loop waited')
  })
})

/** The machine above, and a worker beside it. */
interface LoaderMachine extends Machine {
  readonly make: number
  /** The effect taken out: the worker makes only while the loop waits for it, as on a single core. */
  readonly isBeside: boolean
}

/** How long a window of `variant` takes, ms: 'ring-2', 'inline' or 'worker-N'. */
function madeWindowOf(
  variant: string,
  { fill, carry, compute, report, make, isBeside }: LoaderMachine,
): number {
  const ahead = madeAhead(variant)
  const back = [0, 0]
  /** When each batch was taken, and another asked for. */
  const taken: number[] = []
  let [host, worker, browser, device] = [0, 0, 0, 0]
  for (let step = 0; step < STEPS; step += 1) {
    if (variant === 'inline') host += make
    if (ahead > 0) {
      worker = isBeside ? Math.max(worker, taken[step - ahead] ?? 0) + make : host + make
      host = Math.max(host, worker)
      taken.push(host)
    }
    host = Math.max(host, back[step % 2] ?? 0) + fill
    browser = Math.max(browser, host) + carry
    device = Math.max(device, browser) + compute
    back[step % 2] = device + report
  }
  return device + report
}

function madeVerdictOn(machine: LoaderMachine, isSoftware = false) {
  const run = new FakeRun()
  let at = 0
  for (const repeat of [0, 1, 2])
    for (const variant of [
      'compute-only',
      'upload-only',
      'serial',
      'ring-2',
      'inline',
      'worker-1',
      'worker-4',
    ]) {
      const isMade = variant === 'ring-2' || isMaking(variant)
      const length =
        (isMade ? madeWindowOf(variant, machine) : windowOf(variant, machine)) * (1 + 0.01 * repeat)
      run.window(variant, repeat, at, at + length)
      if (isMaking(variant))
        for (let step = 0; step < STEPS; step += 1)
          run.host('host-work', 'make', variant, repeat, at, at + machine.make, 'compute')
      at += length + 1
    }
  const evidence = run.evidence({
    params: { steps: STEPS, loader: ['inline', 'worker-1', 'worker-4'], rings: ['2'] },
    derived: {
      batchBytes: 32e6,
      steps: STEPS,
      roundTripMs: 3,
      uploadDepth: 2,
      hostCores: 2,
      loaderFailed: 0,
    },
    completionLatencyMs: machine.report,
    isSoftware,
  })
  return judged(overlappedUploads.measure(evidence), evidence)
}

describe('the verdict on a modelled machine that makes its batches', () => {
  const healthy: LoaderMachine = { fill: 2, carry: 2.5, compute: 6.5, report: 1, make: 6, isBeside: true }

  it('is shown where a worker makes them beside the loop', () => {
    expect(madeVerdictOn(healthy)).toMatchObject({ outcome: 'shown', reason: 'worker-hides' })
  })

  it.each([
    ['worker-too-slow', { make: 30 }],
    ['made-in-passing', { make: 1, compute: 12 }],
    ['worker-hides-little', { isBeside: false }],
  ] as const)('is %s, and not shown, otherwise', (reason, change) => {
    const verdict = madeVerdictOn({ ...healthy, ...change })
    expect(verdict.reason).toBe(reason)
    expect(verdict.outcome).not.toBe('shown')
  })

  it('names the cores where the device is made of them', () => {
    expect(madeVerdictOn({ ...healthy, isBeside: false }, true)).toMatchObject({
      outcome: 'not-shown',
      reason: 'no-core-to-spare',
    })
  })
})
