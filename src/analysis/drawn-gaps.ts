/**
 * The idle stretches of whole devices as gaps to draw, hover and step through: of any trace, also of one that has no repeats.
 * A device idle on all its lanes has one gap, drawn on the lane whose work ended it. Their order is that of the devices and of time.
 */
import type { PlacedTrace } from '../trace/place'
import type { SpanColumns } from '../trace/schema'
import type { DeviceGap, DeviceSummary } from './devices'
import type { Gap, GapCause } from './types'

export const drawnGaps = (
  { trace: { spans } }: PlacedTrace,
  devices: readonly DeviceSummary[],
): readonly Gap[] =>
  devices.flatMap(({ axis, gaps }) => gaps.map((gap) => new DrawnGap(gap, axis === 'host', spans)))

/** A class for its accessor: one made for each of 10^5 objects costs more than all else of them. */
class DrawnGap implements Gap {
  readonly lane: number
  readonly startNs: number
  readonly endNs: number
  readonly durationNs: number
  readonly cause: GapCause
  readonly spans: readonly number[]
  readonly before: number
  readonly after: number
  readonly variant: number
  readonly repeat: number
  readonly #gap: DeviceGap

  constructor(gap: DeviceGap, isPlaced: boolean, { lane, variant, repeat }: SpanColumns) {
    const { beginUs, endUs, cause, before, after } = gap
    this.lane = lane[after] ?? -1
    this.startNs = isPlaced ? beginUs * 1e3 : Number.NaN
    this.endNs = isPlaced ? endUs * 1e3 : Number.NaN
    this.durationNs = (endUs - beginUs) * 1e3
    this.cause = cause
    this.spans = gap.spans
    this.before = before
    this.after = after
    this.variant = variant[after] ?? -1
    this.repeat = repeat[after] ?? -1
    this.#gap = gap
  }

  get evidence(): string {
    return this.#gap.evidence
  }
}
