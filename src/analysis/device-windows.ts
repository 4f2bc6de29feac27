/**
 * How busy the device was in each repeat of each variant, from device ticks alone: no clock fit
 * needed, none used. Busy is the union of the repeat's passes ('compute'); the window is from its
 * first begin to its last end. Times in ns (ticks).
 */
import { madeOnce } from '../base/lists'
import { SPAN_KINDS, type Trace } from '../trace/schema'
import { total, union } from './intervals'

export interface DeviceWindow {
  /** Device lane. */
  readonly lane: number
  readonly variant: string
  /** The variant as an index into `trace.strings`. */
  readonly variantIndex: number
  /** ≥ 0: warm-up is not counted. */
  readonly repeat: number
  /** Pass spans (trace indices) by begin. */
  readonly passes: readonly number[]
  readonly firstBegin: number
  readonly lastEnd: number
  readonly extentNs: number
  readonly busyNs: number
  /** The error that floored stamps may cause, see `stampBoundNs`. */
  readonly busyBoundNs: number
  /**
   * busyNs / extentNs; NaN where the window has no length (all stamps within one step of the
   * clock).
   */
  readonly busyRatio: number
  readonly busyRatioBound: number
}

/**
 * How far the sum of `count` durations may be off, for stamps floored to `stepNs`. One duration is
 * off by less than a step, surely; its error is a difference of two uniform ones, with a variance
 * of step²/6. Several add up like independent errors, as long as the passes are not in step with
 * the clock: three standard deviations, 3·√(count/6) steps, and never more than `count` steps, the
 * sure bound. For 100 passes and 65.536 µs: 0.80 ms instead of 6.55 ms.
 */
const stampBoundNs = (count: number, stepNs: number): number =>
  stepNs * Math.min(count, 3 * Math.sqrt(count / 6))

/** By lane, then in the order of their first pass in the trace. */
export function deviceWindows(trace: Trace): readonly DeviceWindow[] {
  const { spans, lanes, clocks, strings } = trace
  const compute = SPAN_KINDS.indexOf('compute')
  const groups = new Map<string, { lane: number; variant: number; repeat: number; passes: number[] }>()
  for (let span = 0; span < spans.length; span += 1) {
    if (spans.kind[span] !== compute) continue
    const lane = spans.lane[span] ?? -1
    const variant = spans.variant[span] ?? -1
    const repeat = spans.repeat[span] ?? -1
    if (repeat < 0 || variant < 0 || clocks[lanes[lane]?.clock ?? -1]?.kind !== 'device') continue
    const key = `${String(lane)} ${String(variant)} ${String(repeat)}`
    madeOnce(groups, key, () => ({ lane, variant, repeat, passes: [] })).passes.push(span)
  }
  const begin = (span: number) => spans.start[span] ?? Number.NaN
  const end = (span: number) => spans.end[span] ?? Number.NaN
  return [...groups.values()]
    .sort((a, b) => a.lane - b.lane)
    .map(({ lane, variant, repeat, passes }) => {
      passes.sort((a, b) => begin(a) - begin(b) || end(a) - end(b))
      const stepNs = clocks[lanes[lane]?.clock ?? -1]?.stepNs ?? 0
      const firstBegin = begin(passes[0] ?? -1)
      const lastEnd = passes.reduce((last, span) => Math.max(last, end(span)), -Infinity)
      const extentNs = lastEnd - firstBegin
      const busyNs = total(union(passes.map((span) => ({ start: begin(span), end: end(span) }))))
      const busyBoundNs = stampBoundNs(passes.length, stepNs)
      const busyRatio = extentNs > 0 ? busyNs / extentNs : Number.NaN
      return {
        lane,
        variant: strings[variant] ?? '',
        variantIndex: variant,
        repeat,
        passes,
        firstBegin,
        lastEnd,
        extentNs,
        busyNs,
        busyBoundNs,
        busyRatio,
        // d(busy / extent): the extent is one duration, off by up to a step.
        busyRatioBound:
          extentNs > 0 ? Math.min(1, (busyBoundNs + busyRatio * stepNs) / extentNs) : Number.NaN,
      }
    })
}
