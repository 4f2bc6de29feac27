/** How long ranks that never go on had stood when that was found. Pure. */
import { NOT_RECORDED } from '../declare/device-samplers'
import type { RepeatSampler } from '../declare/metric'
import { makespan } from '../declare/samplers'

/** From the call that closed the ring, the last of those that were never answered, until the wire was cut. */
export const foundAfter: RepeatSampler<unknown> = {
  ...makespan,
  sample: ({ spans, evidence }, { repeat, endNs }) => {
    const { startNs, endNs: endsNs } = evidence.placed
    const calls = [...spans.find(repeat, { role: 'send' }), ...spans.find(repeat, { role: 'recv' })]
    // The wire is cut once for all: the last calls end together, and with them the window.
    const cut = calls.filter((span) => endNs - (endsNs[span] ?? 0) < CUT_WITHIN_NS)
    return cut.length > 0 ? endNs - Math.max(...cut.map((span) => startNs[span] ?? Number.NaN)) : null
  },
  missing: () => NOT_RECORDED,
}
/** Ranks hear of it by messages. */
const CUT_WITHIN_NS = 200e6
