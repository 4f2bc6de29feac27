/** The comparison of two runs for the page that shows it, with the gaps of each on the common axis. Loaded with that page only. */
import { compareRuns, countedVariants, stepPair, type Comparison, type Side } from '../../analysis/compare'
import { summariseDevices } from '../../analysis/devices'
import { differenceOf, type Difference } from '../../analysis/difference'
import { findGaps } from '../../analysis/gaps'
import { gapColumns, gapsOfColumns, type Gap, type GapColumns } from '../../trace/gaps'
import type { PlacedTrace } from '../../trace/place'
import type { Metric, Report } from '../../trace/report'

export type { PlacedTrace } from '../../trace/place'
export type { Unlike } from '../../analysis/compare'
export type { Bounds, Difference } from '../../analysis/difference'
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
  /** Whose `metrics` these are: of two reports, or, where neither has one, of the whole traces. */
  readonly figuresOf: 'reports' | 'traces'
}

/** The figure of a trace without a report, called as experiments call it. */
export const DEVICE_BUSY = { name: 'device-busy-ratio', label: 'Device busy' } as const

/** Null where there is no device that worked, or more than one: then no one figure says it. */
function busyOf(placed: PlacedTrace): Metric | null {
  const ratios = summariseDevices(placed).flatMap(({ busyRatio }) => busyRatio ?? [])
  const [value] = ratios
  if (value === undefined || ratios.length > 1) return null
  const { name } = DEVICE_BUSY
  return { name, variant: '', value, unit: 'ratio', low: null, high: null, n: 1, origin: 'derived' }
}

function busyDifferences(a: PlacedTrace, b: PlacedTrace): readonly Difference[] {
  const [one, other] = [busyOf(a), busyOf(b)]
  return one && other
    ? [{ ...differenceOf(one, other), why: 'each was recorded once, which has no spread' }]
    : []
}

/** As the reader of files has it: a run of the lab has the gaps of its repeats, a file without a report those of its devices. */
export const gapsOfRun = (placed: PlacedTrace, report: Report | null): readonly Gap[] =>
  report ? findGaps(placed) : summariseDevices(placed).flatMap(({ gaps }) => gaps)

/** Drawn elsewhere on the axis. Causes are not looked for again: whoever asks a moved trace asks with clock fits that were not moved. */
function moved({ gaps, placed }: GappedSide, byNs: number): readonly Gap[] {
  const columns = gapColumns(gaps)
  const move = (timesNs: GapColumns['startNs']) => timesNs.map((timeNs) => timeNs + byNs)
  return gapsOfColumns(
    { ...columns, startNs: move(columns.startNs), endNs: move(columns.endNs) },
    placed.trace.spans,
    (row) => gaps[row]?.evidence ?? '',
  )
}

export function compareSides(a: GappedSide, b: GappedSide): ShownComparison {
  const comparison = compareRuns(a, b)
  const isOfTraces = !a.report && !b.report
  return {
    ...comparison,
    ...(isOfTraces ? { metrics: busyDifferences(a.placed, b.placed) } : {}),
    figuresOf: isOfTraces ? 'traces' : 'reports',
    gapsA: moved(a, -comparison.zeroA.timeNs),
    gapsB: moved(b, -comparison.zeroB.timeNs),
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
