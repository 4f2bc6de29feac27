/** Where the host's time went in a stretch of it: one figure an activity, and what no span covers. */
import type { PlacedTrace } from '../trace/place'
import { activities, HOST_ACTIVITIES, HostTimes, type HostActivity } from './host-activity'

export interface HostTime {
  readonly lengthNs: number
  readonly byActivity: Readonly<Record<HostActivity, number>>
  /** The host awaited nothing and no span covers it: JavaScript between recorded steps, and the recording itself. */
  readonly unrecordedNs: number
  /** Share in which the host did nothing but wait: time it could have spent on other work. NaN for no length. */
  readonly waitingShare: number
}

/** `times` may be kept and asked about many stretches. */
export function hostTime(
  placed: PlacedTrace,
  startNs: number,
  endNs: number,
  times = new HostTimes(placed),
): HostTime {
  const lengthNs = Math.max(0, endNs - startNs)
  const spent = (...of: readonly HostActivity[]) => times.spent(activities(...of), startNs, endNs)
  const all = HOST_ACTIVITIES.map((activity) => [activity, spent(activity)] as const)
  const recordedNs = spent(...HOST_ACTIVITIES)
  const waitingNs = spent('await-result', 'await-staging')
  return {
    lengthNs,
    byActivity: Object.fromEntries(all) as Record<HostActivity, number>, // one entry for each of HOST_ACTIVITIES
    unrecordedNs: Math.max(0, lengthNs - recordedNs),
    waitingShare: lengthNs > 0 ? waitingNs / lengthNs : Number.NaN,
  }
}
