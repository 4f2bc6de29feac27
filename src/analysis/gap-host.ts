/**
 * The recorded host, as it is asked about gaps: what its threads did, and which other ranks they
 * waited for. Times in host ns.
 */
import { madeOnce } from '../base/lists'
import { collectiveOfSpan, messagePeers } from '../trace/collectives'
import type { GapCause } from '../trace/gaps'
import type { PlacedTrace } from '../trace/place'
import { SPAN_KINDS, SPAN_ROLES } from '../trace/schema'
import { heldWaits } from './held-waits'
import { HostTimes } from './host-activity'
import { SpanNames } from './replay/span-names'

const WAIT = SPAN_KINDS.indexOf('host-wait')

export interface GapFinding {
  readonly cause: GapCause
  readonly spans: readonly number[]
  /** The evidence in words. Put together when asked: of a hundred thousand gaps few are read. */
  readonly say: () => string
}

export const unknown = (evidence: string | (() => string), ...spans: readonly number[]): GapFinding => ({
  cause: 'unknown',
  say: typeof evidence === 'string' ? () => evidence : evidence,
  spans,
})

export const NOT_RECORDED: GapFinding = {
  cause: 'not-recorded',
  say: () => 'Launches that may have run here have no record on the device.',
  spans: [],
}

export class GapHost {
  readonly placed: PlacedTrace
  readonly isHeld: (span: number) => boolean
  readonly #names: SpanNames
  /** By lane: the activities of the thread of a call. */
  readonly #threads = new Map<number, HostTimes>()

  constructor(placed: PlacedTrace) {
    this.placed = placed
    this.isHeld = heldWaits(placed.trace)
    this.#names = new SpanNames(placed.trace)
  }

  nameOf(span: number): string {
    return this.#names.of(span)
  }

  threadOf(call: number): HostTimes {
    const { kind, lane } = this.placed.trace.spans
    const own = lane[call] ?? -1
    const counts = (span: number) => kind[span] !== WAIT || this.isHeld(span)
    return madeOnce(this.#threads, own, () => new HostTimes(this.placed, own, counts))
  }

  /** ' for rank 1 to send (recv from 1)': what a call that awaits another rank awaits. */
  forRank(span: number): string {
    const { trace } = this.placed
    const peer = collectiveOfSpan(trace, span)?.peer
    const role = SPAN_ROLES[trace.spans.role[span] ?? -1]
    const does = role === 'recv' ? ' to send' : role === 'send' ? ' to receive' : ''
    const whom = peer === undefined ? 'another rank' : `rank ${String(peer)}`
    return ` for ${whom}${does} (${this.nameOf(span)})`
  }

  /** The call at the other end, where the trace has it. */
  otherEnd(span: number): readonly number[] {
    const other = messagePeers(this.placed.trace).get(span)
    return other === undefined ? [] : [other]
  }
}
