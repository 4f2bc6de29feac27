/**
 * How far an edge may lie from where it is placed: half a clock step on the host; on a device what
 * the floored stamp and the fit's band leave open. Pure, from the trace and its fits, so that a
 * placed trace from another thread has it too. Units: ns.
 */
import type { ClockFit } from './clock'
import type { Trace } from './schema'

export type EdgeBoundNs = (span: number, edge: 'start' | 'end') => readonly [number, number]

export const edgeBounds =
  ({ spans, lanes, clocks }: Trace, fits: readonly (ClockFit | null)[]): EdgeBoundNs =>
  (span, edge) => {
    const clock = lanes[spans.lane[span] ?? -1]?.clock ?? -1
    const stepNs = clocks[clock]?.stepNs ?? 0
    if (clocks[clock]?.kind !== 'device') return [stepNs / 2, stepNs / 2]
    const fit = fits[clock]
    const tick = (edge === 'start' ? spans.start : spans.end)[span]
    if (!fit || tick === undefined) return [Infinity, Infinity]
    const placedNs = fit.toHostNs(tick + stepNs / 2)
    // Never negative: the estimate lies in the band up to rounding.
    const beforeNs = Math.max(0, placedNs - fit.band(tick)[0])
    return [beforeNs, Math.max(0, fit.band(tick + stepNs)[1] - placedNs)]
  }
