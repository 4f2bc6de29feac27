/** The comparison of two runs for the page that shows it, with the gaps of each on the common axis. Loaded with that page only. */
import { compareRuns, countedVariants, stepPair, type Comparison, type Side } from '../analysis/compare'
import { findGaps } from '../analysis/gaps'
import type { Gap } from '../analysis/types'
import type { PlacedTrace } from '../trace/place'

export type { PlacedTrace } from '../trace/place'
export type { LaneComparison, Side, StepPair, Unlike } from '../analysis/compare'
export type { Bounds, Difference } from '../analysis/difference'
export type { KindOfStep } from '../analysis/matched-steps'
export { countedVariants, stepPair }

export interface ShownComparison extends Comparison {
  readonly gapsA: readonly Gap[]
  readonly gapsB: readonly Gap[]
}

export function compareSides(a: Side, b: Side): ShownComparison {
  const comparison = compareRuns(a, b)
  return { ...comparison, gapsA: findGaps(comparison.a), gapsB: findGaps(comparison.b) }
}

/** The variant asked for if the run has it; else one that makes sense beside `other`: its namesake, or another of the same run. */
export function chooseVariant(
  placed: PlacedTrace,
  asked: string | undefined,
  other: { readonly variant: string; readonly isSameRun: boolean } | null,
): string {
  const variants = countedVariants(placed)
  if (asked !== undefined && variants.includes(asked)) return asked
  if (!other) return variants[0] ?? ''
  if (other.isSameRun) return variants.findLast((variant) => variant !== other.variant) ?? variants[0] ?? ''
  return variants.includes(other.variant) ? other.variant : (variants[0] ?? '')
}
