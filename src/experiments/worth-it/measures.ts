/** Reads the figures of worth-it off windows and spans. An operation is `uses` matmuls. Pure. */
import type { RepeatSampler, View } from '../declare/metric'
import { readCounts } from '../evidence'
import { rateOf, sumOfSpans, windowOver } from '../declare/samplers'
import { RESIDENT, sizeAt, sizedOf, type Place } from './variants'

/** Operations in one window. */
const operations = ({ evidence, variant }: View<unknown>): number =>
  readCounts(evidence.derived['operationsPerWindow']).get(variant) ?? 1
const isAt = (place: Place, { variant }: View<unknown>): boolean => sizeAt(place)(variant) !== null

/**
 * Time of one operation. Completion of a resident queue is reported late, once a window. The device
 * had ended before, so the interval reaches down by that share.
 */
export const time: RepeatSampler<unknown> = {
  ...windowOver(operations),
  amend: ({ low }, view) =>
    isAt(RESIDENT, view) && low !== null
      ? {
          low: Math.max(0, low - (view.evidence.completionLatencyMs ?? 0) / operations(view)),
          note: 'queued; completion is reported late once a window, which the interval allows for',
        }
      : {},
}

/** The program awaits each product. */
export const waiting = sumOfSpans<unknown>({ role: 'wait-map' }, operations)

const flopsOf = ({ variant, values }: View<{ readonly uses: number }>): number =>
  2 * (sizedOf(variant)?.n ?? 0) ** 3 * values.uses

export const gflops = rateOf(flopsOf, { name: 'time-ms' })
