/** The comparison of two runs for the page that shows it, with the gaps of each on the common axis. Loaded with that page only. */
import { compareRuns, countedVariants, stepPair, type Comparison, type Side } from '../analysis/compare'
import { summariseDevices } from '../analysis/devices'
import { drawnGaps } from '../analysis/drawn-gaps'
import { findGaps } from '../analysis/gaps'
import type { Gap } from '../analysis/types'
import type { PlacedTrace } from '../trace/place'
import type { Report } from '../trace/report'

export type { PlacedTrace } from '../trace/place'
export type { LaneComparison, Side, StepPair, Unlike } from '../analysis/compare'
export type { Bounds, Difference } from '../analysis/difference'
export type { KindOfStep } from '../analysis/matched-steps'
export type { Gap }
export { countedVariants, stepPair }

/** One side with its gaps as its own page shows them. */
export interface GappedSide extends Side {
  readonly gaps: readonly Gap[]
}

export interface ShownComparison extends Comparison {
  /** The gaps of each side, moved as its trace is: cause, evidence and length are those of the run itself. */
  readonly gapsA: readonly Gap[]
  readonly gapsB: readonly Gap[]
}

/** As the reader of files has it: a run of the lab has the gaps of its repeats, a file without a report those of its devices. */
export const gapsOfRun = (placed: PlacedTrace, report: Report | null): readonly Gap[] =>
  report ? findGaps(placed) : drawnGaps(placed, summariseDevices(placed))

/**
 * A gap drawn elsewhere on the axis. Its cause is not looked for again: whoever asks a moved trace asks with clock fits that were not
 * moved. A class for its accessor, which puts the evidence together when it is read.
 */
class MovedGap implements Gap {
  readonly lane: number
  readonly startNs: number
  readonly endNs: number
  readonly durationNs: number
  readonly cause: Gap['cause']
  readonly spans: readonly number[]
  readonly before: number
  readonly after: number
  readonly variant: number
  readonly repeat: number
  readonly #own: Gap

  constructor(own: Gap, byNs: number) {
    this.lane = own.lane
    this.startNs = own.startNs + byNs
    this.endNs = own.endNs + byNs
    this.durationNs = own.durationNs
    this.cause = own.cause
    this.spans = own.spans
    this.before = own.before
    this.after = own.after
    this.variant = own.variant
    this.repeat = own.repeat
    this.#own = own
  }

  get evidence(): string {
    return this.#own.evidence
  }
}

const moved = (gaps: readonly Gap[], byNs: number): readonly Gap[] =>
  gaps.map((gap) => new MovedGap(gap, byNs))

export function compareSides(a: GappedSide, b: GappedSide): ShownComparison {
  const comparison = compareRuns(a, b)
  return {
    ...comparison,
    gapsA: moved(a.gaps, -comparison.zeroA.timeNs),
    gapsB: moved(b.gaps, -comparison.zeroB.timeNs),
  }
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
