/** How long ranks that never go on had stood when that was found, and what others' lateness cost. Pure. */
import { NOT_RECORDED } from '../declare/device-samplers'
import { NOT_NEGATIVE, type RepeatSampler } from '../declare/metric'
import { lengthOf } from '../declare/samplers'

/** Edges of different ranks are on one axis to this, ns. */
const clockBound = (derived: Readonly<Record<string, unknown>>): number =>
  1e3 * (typeof derived['rankClockBoundUs'] === 'number' ? derived['rankClockBoundUs'] : 0)

/** From the barrier, when the first rank had left it, to the last rank's end. */
export const makespan: RepeatSampler<unknown> = {
  kind: 'repeats',
  quantity: 'time',
  origin: 'host-clock',
  range: NOT_NEGATIVE,
  sample: (_, window) => lengthOf(window),
  systematic: ({ evidence }) => evidence.hostStepNs + 2 * clockBound(evidence.derived),
}

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
