/**
 * α and B of a line t = α + bytes / B through the times of several sizes, as metrics with their
 * intervals, and times by them. Pure.
 */
import { summarise } from '../../analysis/metrics'
import { fitLine, LEAST_SIZES, withoutEach, worstError, type Line, type Point } from '../../base/line-fit'
import { median } from '../../base/stats'
import type { Metric } from '../../trace/report'
import type { Window } from '../run-types'
import { NOT_NEGATIVE, type DerivedSampler, type Named, type View } from './metric'
import type { Bounded } from '../../base/crossover'

/** A line goes through these points, of the place that the metric is declared at. */
export interface Sizes<Values> {
  /** Variants that were run, the smallest first. */
  readonly variants: (view: View<Values>) => readonly string[]
  readonly bytes: (variant: string) => number
  /** The time of one transfer, ns. */
  readonly timeNs: (view: View<Values>, window: Window) => number
  /** An end may be reported so late: 0 if it is seen as it happens. */
  readonly periodNs: (view: View<Values>) => number
  /**
   * Points that are off by more than this of their own time do not lie on a line. Default:
   * MOST_ERROR.
   */
  readonly mostError?: number
}

const MOST_ERROR = 0.5

/** Fits a line, or says why there is none. */
function fitted<Values>(sizes: Sizes<Values>, view: View<Values>) {
  const variants = sizes.variants(view)
  if (variants.length < LEAST_SIZES)
    return `a line through fewer than ${String(LEAST_SIZES)} sizes cannot be put to the test`
  const numbers = [...new Set(view.evidence.windows.map(({ repeat }) => repeat))]
  const pointsIn = (repeat: number): readonly Point[] =>
    variants.flatMap((variant) => {
      const window = view.windowOf(variant, repeat)
      return window ? [{ bytes: sizes.bytes(variant), ns: sizes.timeNs(view, window) }] : []
    })
  const all = numbers.map(pointsIn).filter((points) => points.length === variants.length)
  const medians = variants.map((variant, at): Point => ({
    bytes: sizes.bytes(variant),
    ns: median(all.flatMap((points) => points[at]?.ns ?? [])),
  }))
  const line = fitLine(medians)
  const [smallest, largest] = [medians[0], medians.at(-1)]
  if (!line || !smallest || !largest) return 'a transfer took no longer than a step of the clock'
  const periodNs = sizes.periodNs(view)
  // If even the smallest took about a period, ends are reported on its grid.
  const lateNs = smallest.ns >= periodNs / 2 ? periodNs : 0
  const extraNs = largest.ns - smallest.ns
  if (!(extraNs > lateNs))
    return 'the largest transfer took hardly longer than the smallest, by what this browser reports'
  const error = worstError(line, medians)
  if (!(error <= (sizes.mostError ?? MOST_ERROR)) || !(line.nsPerByte > 0))
    return `the times of the sizes do not lie on a line: one is off by ${error.toFixed(1)} times its own length`
  return {
    line,
    error,
    /** The line of each repeat. */
    repeats: all.flatMap((points) => fitLine(points) ?? []),
    /** Each line goes through the medians of all sizes but one. */
    others: withoutEach(medians),
    /** An end may have been reported so late beyond what the smallest transfer shows already. */
    lateNs,
    /** The largest transfer takes so much longer than the smallest. */
    extraNs,
  }
}

const missing = (named: Named, why: string): Metric => ({
  ...named,
  value: null,
  low: null,
  high: null,
  n: 0,
  origin: 'derived',
  note: why,
})
const NOTE = 'fitted; its interval holds the fits of all repeats, and those without one of the sizes'

/**
 * Figures of the fitted line. A value is the median of the repeats' fits. Its interval is that of
 * the median, widened to hold every fit that leaves one size out: how far the figure depends on the
 * choice of sizes, where the points are not quite on a line.
 */
export function lineThrough<Values>(sizes: Sizes<Values>) {
  const ofLine = (
    quantity: DerivedSampler<Values>['quantity'],
    of: (line: Line) => number,
    /**
     * Bounds where the largest transfer may have ended earlier, or later, by `late` of the time
     * that its bytes took.
     */
    reported: (value: number, late: number) => readonly [low: number, high: number] = (value) => [
      value,
      value,
    ],
  ): DerivedSampler<Values> => ({
    quantity,
    derive: (view, named) => {
      const found = fitted(sizes, view)
      if (typeof found === 'string') return missing(named, found)
      const samples = found.repeats.map(of)
      const own = summarise({ ...named, origin: 'derived', samples, note: NOTE, range: NOT_NEGATIVE })
      if (own.value === null) return own
      const late = found.lateNs / found.extraNs
      const bounds = [
        ...found.others.map(of),
        ...reported(own.value, late),
        own.low ?? own.value,
        own.high ?? own.value,
      ]
      const finite = bounds.filter((bound) => Number.isFinite(bound) && bound >= 0)
      return { ...own, low: Math.min(own.value, ...finite), high: Math.max(own.value, ...finite) }
    },
  })
  /** The error of the size that is farthest from the line. */
  const error: DerivedSampler<Values> = {
    quantity: 'ratio',
    derive: (view, named) => {
      const found = fitted(sizes, view)
      if (typeof found === 'string') return missing(named, found)
      const { error: value, repeats } = found
      return { ...named, value, low: value, high: value, n: repeats.length, origin: 'derived' }
    },
  }
  return {
    /** µs. */
    alpha: ofLine('time', ({ alphaNs }) => alphaNs / 1e3),
    /** Bytes a ns are GB/s. */
    rate: ofLine(
      'rate',
      ({ nsPerByte }) => (nsPerByte > 0 ? 1 / nsPerByte : Number.NaN),
      (value, late) => [value / (1 + late), value / (1 - late)],
    ),
    /** α · B: the size at which half of the time is α. */
    halfSize: ofLine('count', ({ alphaNs, nsPerByte }) =>
      nsPerByte > 0 ? Math.max(0, alphaNs) / nsPerByte : Number.NaN,
    ),
    error,
  }
}

/** T = messages · α + share · bytes / B. */
export type Cost = Readonly<Record<'messages' | 'share', number>>

/** α in µs, B in GB/s. */
export type Wire<Value> = Readonly<Record<'alphaUs' | 'gbPerS', Value>>

export const timeMs = ({ messages, share }: Cost, bytes: number, { alphaUs, gbPerS }: Wire<number>): number =>
  (messages * alphaUs) / 1e3 + (share * bytes) / (gbPerS * 1e6)

/**
 * Both figures at the same end of their intervals: wider than the fits are, since a fit with a
 * longer α has a higher B.
 */
export const boundedTimeMs = (cost: Cost, bytes: number, { alphaUs, gbPerS }: Wire<Bounded>): Bounded => ({
  value: timeMs(cost, bytes, { alphaUs: alphaUs.value, gbPerS: gbPerS.value }),
  low: timeMs(cost, bytes, { alphaUs: Math.max(0, alphaUs.low), gbPerS: gbPerS.high }),
  high: timeMs(cost, bytes, { alphaUs: alphaUs.high, gbPerS: gbPerS.low }),
})
