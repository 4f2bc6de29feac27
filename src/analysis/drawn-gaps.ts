/**
 * The idle stretches of whole devices as gaps to draw, hover and step through: of any trace, also of one that has no repeats.
 * A device idle on all its lanes has one gap, drawn on the lane whose work ended it. Their order is that of the devices and of time.
 */
import type { PlacedTrace } from '../trace/place'
import type { DeviceSummary } from './devices'
import type { Gap } from './types'

export const drawnGaps = (
  { trace: { spans } }: PlacedTrace,
  devices: readonly DeviceSummary[],
): readonly Gap[] =>
  devices.flatMap(({ axis, gaps }) =>
    gaps.map((gap): Gap => {
      const { beginUs, endUs, cause, before, after } = gap
      const isPlaced = axis === 'host'
      return {
        lane: spans.lane[after] ?? -1,
        startNs: isPlaced ? beginUs * 1e3 : Number.NaN,
        endNs: isPlaced ? endUs * 1e3 : Number.NaN,
        durationNs: (endUs - beginUs) * 1e3,
        cause,
        get evidence() {
          return gap.evidence
        },
        spans: gap.spans,
        before,
        after,
        variant: spans.variant[after] ?? -1,
        repeat: spans.repeat[after] ?? -1,
      }
    }),
  )
