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
  devices.flatMap(({ axis, gaps }) => {
    const of = { isPlaced: axis === 'host', spans }
    return gaps.map((gap) => new DrawnGap(gap, of))
  })

interface OfDevice {
  readonly isPlaced: boolean
  readonly spans: SpanColumns
}

/** Two words beside the gap that it draws: of 10^5 of them, what each keeps is what counts. */
class DrawnGap implements Gap {
  readonly #gap: DeviceGap
  readonly #of: OfDevice
  constructor(gap: DeviceGap, of: OfDevice) {
    this.#gap = gap
    this.#of = of
  }
  get lane(): number {
    return this.#of.spans.lane[this.after] ?? -1
  }
  get startNs(): number {
    return this.#of.isPlaced ? this.#gap.beginUs * 1e3 : Number.NaN
  }
  get endNs(): number {
    return this.#of.isPlaced ? this.#gap.endUs * 1e3 : Number.NaN
  }
  get durationNs(): number {
    return (this.#gap.endUs - this.#gap.beginUs) * 1e3
  }
  get cause(): GapCause {
    return this.#gap.cause
  }
  get evidence(): string {
    return this.#gap.evidence
  }
  get spans(): readonly number[] {
    return this.#gap.spans
  }
  get before(): number {
    return this.#gap.before
  }
  get after(): number {
    return this.#gap.after
  }
  get variant(): number {
    return this.#of.spans.variant[this.after] ?? -1
  }
  get repeat(): number {
    return this.#of.spans.repeat[this.after] ?? -1
  }
}
