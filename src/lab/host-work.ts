/**
 * What the host does between two launches: the next batch, the log, Python itself. It keeps this
 * thread busy by the clock, and marks itself on the host's lane.
 */
import type { RecordingSession } from '../recorder'

export const hostWork = (session: RecordingSession, ms: number) => (): void => {
  const start = session.now()
  const until = start + ms * 1e6
  let now = start
  while (now < until) now = session.now()
  session.hostSpan('host-work', 'compute', 'host work', start, now)
}
