/**
 * Idle time of the device by cause, for each variant of a run: sums over its counted repeats, and a
 * figure a repeat with its interval. Lengths are differences of device ticks; the share is of the
 * time from a repeat's first work to its last. Live as well as at the end.
 */
import { madeOnce } from '../base/lists'
import type { Metric } from '../trace/report'
import type { Trace } from '../trace/schema'
import { deviceWindows } from './device-windows'
import { GAP_CAUSES } from '../trace/gaps'
import { summarise } from './metrics'
import type { Gap, GapCause } from '../trace/gaps'

export interface IdleCause {
  readonly cause: GapCause
  readonly count: number
  readonly totalNs: number
  /** A share of the time from first work to last, all repeats together; NaN: there is no time. */
  readonly share: number
  readonly longestNs: number
  /** Index into the gaps that were given. */
  readonly longest: number
  /** A repeat's idle time of this cause, ms; repeats without it count as 0. */
  readonly perRepeat: Metric
}

export interface IdleVariant {
  readonly variant: string
  readonly variantIndex: number
  /** Counted repeats in which the device worked. */
  readonly repeats: number
  /** Sum over repeats of the time from first work to last. */
  readonly extentNs: number
  readonly idleNs: number
  /** Those that occur, the largest first. */
  readonly causes: readonly IdleCause[]
}

/** Gaps of one variant and cause, as they are counted. */
class Tally {
  count = 0
  totalNs = 0
  longestNs = 0
  longest = -1
  readonly byRepeat = new Map<number, number>()

  add(index: number, { durationNs, repeat }: Gap): void {
    this.count += 1
    this.totalNs += durationNs
    this.byRepeat.set(repeat, (this.byRepeat.get(repeat) ?? 0) + durationNs)
    if (this.longest >= 0 && durationNs <= this.longestNs) return
    this.longestNs = durationNs
    this.longest = index
  }
}

/** By variant, then by cause; in one pass, as there may be 10^5 gaps. */
function tallies(gaps: readonly Gap[]): ReadonlyMap<number, ReadonlyMap<GapCause, Tally>> {
  const found = new Map<number, Map<GapCause, Tally>>()
  for (const [index, gap] of gaps.entries()) {
    const ofVariant = madeOnce(found, gap.variant, () => new Map<GapCause, Tally>())
    madeOnce(ofVariant, gap.cause, () => new Tally()).add(index, gap)
  }
  return found
}

/** Variants in the order in which they first worked; also those whose device was never idle. */
export function idleTotals(trace: Trace, gaps: readonly Gap[]): readonly IdleVariant[] {
  const windows = deviceWindows(trace)
  const found = tallies(gaps)
  const variants = [...new Set(windows.map(({ variantIndex }) => variantIndex))]
  return variants.map((variantIndex) => {
    const own = windows.filter((window) => window.variantIndex === variantIndex)
    const repeats = [...new Set(own.map(({ repeat }) => repeat))].sort((a, b) => a - b)
    const extentNs = own.reduce((sum, window) => sum + window.extentNs, 0)
    const stepNs = Math.max(
      0,
      ...own.map(({ lane }) => trace.clocks[trace.lanes[lane]?.clock ?? -1]?.stepNs ?? 0),
    )
    const variant = trace.strings[variantIndex] ?? ''
    const causes = GAP_CAUSES.flatMap((cause): readonly IdleCause[] => {
      const tally = found.get(variantIndex)?.get(cause)
      if (!tally) return []
      const { count, totalNs, longestNs, longest, byRepeat } = tally
      const perRepeat = summarise({
        name: `idle-${cause}`,
        variant,
        unit: 'ms',
        origin: 'device-clock',
        samples: repeats.map((repeat) => (byRepeat.get(repeat) ?? 0) / 1e6),
        // Each gap has two stamped edges; in step with the clock their errors may add up.
        systematic: (stepNs * count) / Math.max(1, repeats.length) / 1e6,
        range: [0, Infinity],
      })
      return [{ cause, count, totalNs, share: totalNs / extentNs, longestNs, longest, perRepeat }]
    })
    return {
      variant,
      variantIndex,
      repeats: repeats.length,
      extentNs,
      idleNs: causes.reduce((sum, { totalNs }) => sum + totalNs, 0),
      causes: causes.sort((a, b) => b.totalNs - a.totalNs),
    }
  })
}
