/**
 * Arrows between the two calls of each message of a window: from the rank that came later to the
 * one that waited for it.
 */
import type { TraceBuilder } from '../../trace/builder'

/** One call of a rank, as it stands in the run's trace. */
export interface MessageCall {
  readonly rank: number
  readonly role: 'send' | 'recv'
  readonly peer: number
  /** Index of this message among those of its kind between the two ranks, from 0. */
  readonly sequence: number
  readonly span: number
  /** Host ns of the run. */
  readonly startNs: number
}

/** Calls of one window. One whose other end never came, as of ranks that hang, has no arrow. */
export function pairMessages(out: TraceBuilder, calls: readonly MessageCall[]): void {
  const keyOf = ({ role, rank, peer, sequence }: MessageCall) =>
    (role === 'send' ? [rank, peer, sequence] : [peer, rank, sequence]).join(' ')
  const received = new Map(calls.filter(({ role }) => role === 'recv').map((call) => [keyOf(call), call]))
  for (const send of calls) {
    const recv = send.role === 'send' ? received.get(keyOf(send)) : undefined
    if (!recv) continue
    const [later, earlier] = recv.startNs > send.startNs ? [recv, send] : [send, recv]
    out.addFlow(later.span, earlier.span, 'collective')
  }
}
