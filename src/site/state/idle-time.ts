/**
 * The panel 'Why was the device idle?' as plain values, worked out from the run on the page: totals by cause, what would be without one,
 * and which measured variant puts that to the test. The panel draws it and starts runs.
 */
import { idleTotals, type IdleCause, type IdleVariant } from '../../analysis/idle-totals'
import type { Gap, GapCause } from '../../trace/gaps'
import {
  repeatTime,
  testPrediction,
  whatIfByRepeats,
  type Outcome,
  type Prediction,
  type Tested,
  type WhatIf,
} from '../../analysis/what-if'
import { createYielder } from '../../base/yield-to-main'
import type { ExperimentMeta, ParamValues, Remedy } from '../../experiments/experiment'
import type { PlacedTrace } from '../../trace/place'
import type { Report } from '../../trace/report'
import { isUnderWay, type RunState } from './run-store'

export type { Gap, IdleCause, IdleVariant, Outcome, Prediction, WhatIf }
export { idleTotals }

/** One variant and one cause of its idle time. */
export interface Question {
  readonly variant: string
  readonly cause: GapCause
}

/** Why there are no totals to show; null where there are. */
export function whyNoTotals({ phase, placed }: RunState, totals: readonly IdleVariant[]): string | null {
  if (totals.length > 0) return null
  if (isUnderWay(phase)) return 'No counted repeat of a variant has worked on the device yet.'
  const trace = placed?.trace
  if (!trace || trace.spans.length === 0) return 'Nothing was recorded, so there is no idle time to explain.'
  if (!trace.lanes.some(({ kind }) => kind === 'device'))
    return 'This adapter offers no timestamp-query: what the device did cannot be seen from a page, so neither can its idle time.'
  return 'No counted repeat of a variant was recorded on the device: idle time is counted within repeats.'
}

/** Where the most time is to be had: the cause with the most idle time, a variant that can be mended first. */
export function firstQuestion(
  meta: ExperimentMeta | undefined,
  totals: readonly IdleVariant[],
): Question | null {
  const all = totals.flatMap(({ variant, repeats, causes }) =>
    causes.map(({ cause, totalNs }) => ({ variant, cause, ns: totalNs / repeats })),
  )
  const isMended = ({ variant, cause }: Question) => remediesOf(meta, { variant, cause }).length > 0
  all.sort((a, b) => Number(isMended(b)) - Number(isMended(a)) || b.ns - a.ns)
  const [first] = all
  return first ? { variant: first.variant, cause: first.cause } : null
}

export const remediesOf = (
  meta: ExperimentMeta | undefined,
  { variant, cause }: Question,
): readonly Remedy[] =>
  (meta?.remedies ?? []).filter((remedy) => remedy.variant === variant && remedy.cause === cause)

/** Fewer repeats reach no interval of 90 % (base/stats). */
const ENOUGH_REPEATS = 5

/** The run's own values with both variants asked for, and repeats enough for a verdict. */
export function valuesWithBoth(params: ParamValues, remedy: Remedy): ParamValues {
  const { repeats } = params
  const enough = typeof repeats === 'number' ? { repeats: Math.max(repeats, ENOUGH_REPEATS) } : {}
  return { ...params, ...remedy.values, ...enough }
}

/** Repeat by repeat, the page drawing in between: 15 repeats of 512 steps are 0.1 s. Null where `signal` says that nobody asks any more. */
export async function answerTo(
  { variant, cause }: Question,
  placed: PlacedTrace,
  gaps: readonly Gap[],
  signal: AbortSignal,
  turns = createYielder(),
): Promise<WhatIf | null> {
  const work = whatIfByRepeats(placed, gaps, variant, cause)
  for (;;) {
    if (signal.aborted) return null
    const step = work.next()
    if (step.done === true) return step.value
    await turns.yieldIfDue()
  }
}

export interface Trial {
  readonly remedy: Remedy
  readonly tested: Tested
}

/** The first remedy that this very run has measured; null where it has measured none. */
export function trialOf(
  placed: PlacedTrace,
  report: Report | null,
  remedies: readonly Remedy[],
  prediction: Prediction,
): Trial | null {
  const variants = new Set(placed.trace.strings)
  for (const remedy of remedies) {
    if (!variants.has(remedy.by)) continue
    const measured = repeatTime(placed, remedy.by)
    if (measured.value === null) continue
    const tested = testPrediction(prediction, measured)
    const isInvalid = report !== null && !report.validity.valid
    const why = 'this run does not count, for the reasons given above'
    return { remedy, tested: isInvalid ? { ...tested, outcome: 'not-decided', why } : tested }
  }
  return null
}

/** How many of a variant's gaps of one cause come before a gap, by time: for 'gap 3 of 31'. */
export const gapsOf = (
  placed: PlacedTrace,
  gaps: readonly Gap[],
  { variant, cause }: Question,
): readonly number[] =>
  gaps
    .flatMap((gap, index) =>
      gap.cause === cause && placed.trace.strings[gap.variant] === variant ? [index] : [],
    )
    .sort((a, b) => (gaps[a]?.startNs ?? 0) - (gaps[b]?.startNs ?? 0))
