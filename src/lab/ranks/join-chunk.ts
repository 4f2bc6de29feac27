/**
 * Puts a rank's recording into the trace of the run that started it: its lanes in groups of their
 * own ('rank 1 · host'), its host times on the run's axis. Its counters stay out. Device ticks stay
 * raw, as everywhere: their snapshots are moved instead.
 */
import { collectiveAt, type Collective } from '../../trace/collectives'
import type { TraceBuilder } from '../../trace/builder'
import { copySpan } from '../../trace/copy-span'
import { FLOW_KINDS, SPAN_ROLES, type ClockDomain, type Lane, type TraceChunk } from '../../trace/schema'

/** Submissions of a rank are numbered from a start of its own: a run has fewer than this. */
const SUBMISSIONS_OF_A_RANK = 2 ** 24

const laneNameOf = (rank: number, name: string): string => `rank ${String(rank)} · ${name}`

export class RankTrace {
  readonly #out: TraceBuilder
  readonly #rank: number
  readonly #clocks: ClockDomain[] = []
  readonly #lanes: Lane[] = []
  readonly #strings: string[] = []
  /** By index in the rank's own trace. */
  readonly #clockOf: number[] = []
  readonly #laneOf: number[] = []
  readonly #spanOf: number[] = []
  #messages: MessageCall[] = []

  constructor(
    out: TraceBuilder,
    rank: number,
    /**
     * Added to a time of the rank's host, ns since its trace's origin, it gives the time on the
     * run's.
     */
    readonly shiftNs: number,
  ) {
    this.#out = out
    this.#rank = rank
  }

  /** Chunks in the order sent, each once. */
  append(chunk: TraceChunk): void {
    const out = this.#out
    const text = (index: number | undefined) => this.#strings[index ?? -1] ?? ''
    const lane = (index: number | undefined) => this.#laneOf[index ?? -1] ?? 0
    this.#addClocksAndLanes(chunk)
    this.#strings.push(...chunk.strings)
    const { spans, flows } = chunk
    for (let row = 0; row < spans.length; row += 1) {
      const shift = this.#shiftOf(spans.lane[row])
      this.#spanOf.push(
        out.addSpan({
          ...copySpan(spans, row, text),
          lane: lane(spans.lane[row]),
          start: (spans.start[row] ?? Number.NaN) + shift,
          end: (spans.end[row] ?? Number.NaN) + shift,
          submission: this.#submission(spans.submission[row]),
        }),
      )
    }
    for (let row = 0; row < flows.length; row += 1) {
      const [from, to] = [this.#spanOf[flows.from[row] ?? -1], this.#spanOf[flows.to[row] ?? -1]]
      const kind = FLOW_KINDS[flows.kind[row] ?? -1]
      if (from !== undefined && to !== undefined && kind) out.addFlow(from, to, kind)
    }
    for (let row = 0; row < chunk.collectives.length; row += 1) {
      const { span, ...known } = collectiveAt({ collectives: chunk.collectives, strings: this.#strings }, row)
      const placed = this.#spanOf[span]
      if (placed === undefined) continue
      out.addCollective({ ...known, span: placed })
      this.#addMessage(chunk, known, span, placed)
    }
    for (const snapshot of chunk.snapshots)
      out.addSnapshot({
        ...snapshot,
        clock: this.#clockOf[snapshot.clock] ?? 0,
        hostBeforeNs: snapshot.hostBeforeNs + this.shiftNs,
        hostAfterNs: snapshot.hostAfterNs + this.shiftNs,
      })
    for (const [reason, count] of Object.entries(chunk.rejected)) out.reject(reason, count)
  }

  /** The calls of messages that came since this was last asked. */
  takeMessages(): readonly MessageCall[] {
    const taken = this.#messages
    this.#messages = []
    return taken
  }

  /** Its span is of the same chunk: a call and its row are written together. */
  #addMessage(
    { spans }: TraceChunk,
    { peer, sequence }: Omit<Collective, 'span'>,
    span: number,
    placed: number,
  ): void {
    const row = span - (this.#spanOf.length - spans.length)
    const role = SPAN_ROLES[spans.role[row] ?? -1]
    if ((role !== 'send' && role !== 'recv') || peer === undefined || sequence === undefined) return
    const startNs = (spans.start[row] ?? Number.NaN) + this.shiftNs
    this.#messages.push({ rank: this.#rank, role, peer, sequence, span: placed, startNs })
  }

  #addClocksAndLanes({ clocks, lanes }: TraceChunk): void {
    for (const clock of clocks) {
      this.#clocks.push(clock)
      // The rank's host is on the run's axis from here on.
      this.#clockOf.push(
        clock.kind === 'host'
          ? 0
          : this.#out.addClock({ ...clock, name: laneNameOf(this.#rank, clock.name) }),
      )
    }
    for (const lane of lanes) {
      this.#lanes.push(lane)
      this.#laneOf.push(
        this.#out.addLane({
          kind: lane.kind,
          name: laneNameOf(this.#rank, lane.name),
          group: laneNameOf(this.#rank, lane.group),
          clock: this.#clockOf[lane.clock] ?? 0,
        }),
      )
    }
  }

  #shiftOf(lane: number | undefined): number {
    const clock = this.#lanes[lane ?? -1]?.clock ?? 0
    return this.#clocks[clock]?.kind === 'device' ? 0 : this.shiftNs
  }

  #submission(id: number | undefined): number | undefined {
    return id === undefined || id < 0 ? undefined : (this.#rank + 1) * SUBMISSIONS_OF_A_RANK + id
  }
}

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

/**
 * Adds an arrow between the two calls of each message of a window: from the rank that came later to
 * the one that waited for it. A call whose other end never came, as of ranks that hang, has none.
 */
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
