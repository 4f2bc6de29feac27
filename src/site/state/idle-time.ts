/**
 * The panel 'Why was the device idle?' as plain values, worked out from the run on the page: totals
 * by cause, what a repeat would take without one, and which measured variant puts that to the test.
 * The panel draws it and starts runs.
 */
import type { IdleVariant } from '../../analysis/idle-totals'
import { NAMED_GAIN } from '../../analysis/findings'
import type { GapCause } from '../../trace/gaps'
import { repeatTime, RunReplays, testPrediction, type RunGain, type Tested } from '../../analysis/run-gains'
import { createYielder } from '../../base/give-way'
import type { ExperimentMeta, ParamValues, Remedy } from '../../experiments/experiment'
import type { PlacedTrace } from '../../trace/place'
import type { Report } from '../../trace/report'
import { isUnderWay, type RunState } from './run-store'

/** One variant and one cause of its idle time. */
export interface Question {
  readonly variant: string
  readonly cause: GapCause
}

/** Why there are no totals to show; null where there are. */
export function whyNoTotals({ phase, placed }: RunState, totals: readonly IdleVariant[]): string | null {
  if (totals.length > 0) return null
  if (isUnderWay(phase)) return 'No counted repeat of a variant has run on the device yet.'
  const trace = placed?.trace
  if (!trace || trace.spans.length === 0) return 'Nothing was recorded, so there is no idle time to explain.'
  if (!trace.lanes.some(({ kind }) => kind === 'device'))
    return 'This adapter offers no timestamp-query: what the device did cannot be seen from a page, so neither can its idle time.'
  return 'No counted repeat of a variant was recorded on the device: idle time is counted within repeats.'
}

const remediesOf = (meta: ExperimentMeta | undefined, { variant, cause }: Question): readonly Remedy[] =>
  (meta?.remedies ?? []).filter((remedy) => remedy.variant === variant && remedy.cause === cause)

/** Fewer repeats reach no interval of 90 % (base/stats). */
const ENOUGH_REPEATS = 5

/** The run's own values with both variants asked for, and repeats enough for a verdict. */
export function valuesWithBoth(params: ParamValues, remedy: Remedy): ParamValues {
  const { repeats } = params
  const enough = typeof repeats === 'number' ? { repeats: Math.max(repeats, ENOUGH_REPEATS) } : {}
  return { ...params, ...remedy.values, ...enough }
}

export interface Change extends RunGain {
  /** Variants that go without the cause. */
  readonly remedies: readonly Remedy[]
  /** The first of them that this very run has measured. */
  readonly trial: Trial | null
}

export interface Changes {
  /** The largest gain first; without a remedy only those that gain. */
  readonly changes: readonly Change[]
  /** Why a variant can't be replayed: a sentence each. */
  readonly problems: readonly string[]
}

/**
 * Question by question, the page drawing in between. Null where `signal` says that nobody asks any
 * more.
 */
export async function changesOf(
  { placed, report }: Pick<RunState, 'placed' | 'report'>,
  meta: ExperimentMeta | undefined,
  totals: readonly IdleVariant[],
  signal: AbortSignal,
  yieldIfDue = createYielder(),
): Promise<Changes | null> {
  const changes: Change[] = []
  const problems = new Set<string>()
  const replays = placed && new RunReplays(placed)
  for (const { variant, causes } of replays ? totals : []) {
    const exposing = (meta?.remedies ?? []).filter((each) => each.exposes && each.variant === variant)
    for (const cause of new Set([...causes, ...exposing].map((each) => each.cause))) {
      if (signal.aborted) return null
      const gain = replays?.without(variant, cause) ?? null
      const remedies = remediesOf(meta, { variant, cause })
      if (typeof gain === 'string') problems.add(`${variant}: ${gain}`)
      else if (gain && placed && (remedies.length > 0 || ratioOf(gain) >= NAMED_GAIN))
        changes.push({ ...gain, remedies, trial: trialOf(placed, report, remedies, gain) })
      await yieldIfDue()
    }
  }
  return { changes: changes.sort((a, b) => ratioOf(b) - ratioOf(a)), problems: [...problems] }
}

const ratioOf = ({ now, predicted }: RunGain): number => (now.value ?? 0) / (predicted.value ?? Infinity)

export interface Trial {
  readonly remedy: Remedy
  readonly tested: Tested
}

/** The first remedy that this very run has measured; null where it has measured none. */
function trialOf(
  placed: PlacedTrace,
  report: Report | null,
  remedies: readonly Remedy[],
  gain: RunGain,
): Trial | null {
  const variants = new Set(placed.trace.strings)
  for (const remedy of remedies) {
    if (!variants.has(remedy.by)) continue
    const measured = repeatTime(placed, remedy.by)
    if (measured.value === null) continue
    const tested = testPrediction(gain, measured)
    const isInvalid = report !== null && !report.validity.valid
    const why = 'this run does not count, for the reasons given above'
    return { remedy, tested: isInvalid ? { ...tested, outcome: 'not-decided', why } : tested }
  }
  return null
}

/**
 * Compares what a changed program took with what the replay predicts of the one before, without the
 * cause that its experiment's remedies take away. Null where nothing can be predicted.
 * @param by the variant in `after`; the same name as in `before` where a learner changed it
 */
export function changedGain(
  meta: Pick<ExperimentMeta, 'remedies'> | undefined,
  before: RunState,
  variant: string,
  after: RunState,
  by: string,
) {
  if (!before.placed || !after.placed) return null
  const replays = new RunReplays(before.placed)
  const [gain] = [...new Set((meta?.remedies ?? []).map(({ cause }) => cause))]
    .map((cause) => replays.without(variant, cause))
    .filter((each) => each !== null && typeof each !== 'string')
    .sort((one, other) => ratioOf(other) - ratioOf(one))
  if (!gain || ratioOf(gain) < NAMED_GAIN) return null
  return { gain, tested: testPrediction(gain, repeatTime(after.placed, by)) }
}
