/**
 * A world of ranks, as torch.distributed calls it: N threads that run one program, each with its
 * rank as the only difference, with a wire between them. It ties their clocks to this thread's, has
 * them begin together, and watches over who waits for whom: ranks that never go on are told so by
 * their own calls, within about a second, and the next window has a new wire.
 */
import { FaultError, type Fault } from '../../base/fault'
import type { TraceBuilder } from '../../trace/builder'
import { offsetOf, type Reply, askPings, clockMemory, PINGS, type Clock } from './clock-ping'
import { RankTrace, pairMessages, type MessageCall } from './join-chunk'
import { makePorts } from './port-wire'
import type { OpenCommand, RankReply, RankCommand, WindowCommand } from './protocol'
import { makeWire, statesOf, type WireMemory } from './shared-wire'
import { stuckText, type RankState, type Stuck, watchStuck } from './wait-for'

export interface RankThread {
  readonly post: (order: RankCommand, transfer?: Transferable[]) => void
  /** Ends the thread, whatever it does. */
  readonly end: () => void
}
/** `failed`: the thread could not start, or died; with why. */
export type StartRank = (
  rank: number,
  heard: (answer: RankReply) => void,
  failed: (why: string) => void,
) => RankThread

export interface WorldOptions extends Omit<OpenCommand, 'type' | 'rank'> {
  readonly size: number
  readonly start: StartRank
  /** The trace that ranks are recorded into, and this thread's time on its axis, ms. */
  readonly builder: TraceBuilder
  readonly now: Clock
  /**
   * Memory can be shared: only where the page is cross-origin isolated. Else messages are sent, and
   * take longer.
   */
  readonly sharesMemory: boolean
  /** Default: as `sharesMemory`. Messages, where ranks run in this thread and cannot be blocked. */
  readonly pings?: 'memory' | 'messages'
}

export interface WorldWindow extends Omit<WindowCommand, 'type' | 'spec'> {
  readonly specOf: (rank: number) => unknown
}

/** Ranks that never went on, as they were found. */
interface Hang extends Stuck {
  /** A sentence: who waits for whom. */
  readonly message: string
}

export interface WorldOutcome {
  /**
   * ns on the run's axis: from the barrier, when the first rank had left it, to the last rank's
   * end. Each known to `clockBoundNs`.
   */
  readonly startNs: number
  readonly endNs: number
  /** By rank: what the program returned; undefined where the wire was cut. */
  readonly outputs: readonly unknown[]
  readonly hang: Hang | null
}

/** A rank whose wire was cut has so long to come to its end. */
const LAST_CALL_MS = 1500

interface Waiting {
  readonly type: RankReply['type']
  readonly resolve: (answer: RankReply) => void
}

export class World {
  /** Half-width of the widest of the ranks' clock offsets, ns. */
  clockBoundNs = 0
  readonly #options: WorldOptions
  readonly #threads: RankThread[] = []
  readonly #waiting: (Waiting | null)[]
  readonly #traces: RankTrace[] = []
  /** By number of ranks. */
  readonly #wires = new Map<number, WireMemory | 'ports'>()
  /** States of the ranks that have answered since they were last asked. */
  #states: (RankState | null)[] = []
  readonly #failed: Promise<never>
  #fail: (fault: Fault) => void = () => undefined
  #hasEnded = false

  private constructor(options: WorldOptions) {
    this.#options = options
    this.#failed = new Promise((_, reject) => {
      this.#fail = (fault) => reject(new FaultError(fault))
    })
    this.#failed.catch(() => undefined) // raced below
    this.#waiting = Array.from({ length: options.size }, () => null)
  }

  /**
   * Starts the ranks and ties their clocks. Race it: a thread that does not start may never say so.
   * `opened` is called at once, with what is to be closed however the run ends.
   *
   * @throws FaultError 'worker' where a thread does not start; 'internal' where a clock was set
   * meanwhile; as `openDevice`, for ranks with a device.
   */
  static async open(options: WorldOptions, opened: (world: World) => void): Promise<World> {
    const world = new World(options)
    opened(world)
    const { size, start, hasDevice, info, hostStepUs, deviceStepNs, builder } = options
    // One after the other has loaded its script: a worker of Firefox 153 that started eight at once
    // was seen to stand still, timers and all, with two of them loaded.
    for (let rank = 0; rank < size; rank += 1) {
      world.#threads.push(
        start(
          rank,
          (answer) => world.#heard(rank, answer),
          (why) => world.#fail({ code: 'worker', message: `Rank ${String(rank)} has no thread: ${why}` }),
        ),
      )
      const facts = { rank, hasDevice, info, hostStepUs, deviceStepNs }
      await world.#ask(rank, { ...facts, type: 'open' }, 'opened')
    }
    for (let rank = 0; rank < size; rank += 1) {
      const offset = offsetOf(await world.#ping(rank), hostStepUs / 1e3)
      if (!offset)
        throw new FaultError({
          code: 'internal',
          message: `No one offset fits the answers of rank ${String(rank)}’s clock.`,
          hint: 'Run again: the clock may have been set meanwhile.',
        })
      const { lowMs, highMs } = offset
      const shiftNs = Math.round(((lowMs + highMs) / 2) * 1e6)
      world.clockBoundNs = Math.max(world.clockBoundNs, ((highMs - lowMs) / 2) * 1e6)
      world.#traces.push(new RankTrace(builder, rank, shiftNs))
    }
    return world
  }

  /**
   * Runs the program on the first `size` ranks, from a barrier on.
   *
   * @throws FaultError of the first rank that threw or lost its device; 'timeout' where a rank did
   * not end though its wire was cut
   */
  async run({ specOf, ...window }: WorldWindow): Promise<WorldOutcome> {
    const { size } = window
    this.#openWire(size)
    await this.#all(size, (rank) => ({ ...window, type: 'prepare', spec: specOf(rank) }), 'prepared')
    const running = this.#all(size, () => ({ type: 'go' }), 'ran')
    let hang: Hang | null = null
    let lastCall: ReturnType<typeof setTimeout> | undefined
    const endWatch = watchStuck(
      () => this.#statesNow(size),
      (stuck) => {
        hang = { ...stuck, message: stuckText(stuck) }
        const { message } = hang
        this.#wires.delete(size)
        for (const { post } of this.#threads.slice(0, size)) post({ type: 'cut', size, reason: message })
        lastCall = setTimeout(
          () =>
            this.#fail({
              code: 'timeout',
              message: `${message} And not all of them end when they are told.`,
            }),
          LAST_CALL_MS,
        )
      },
    )
    try {
      const answers = await running
      let [startNs, endNs] = [Infinity, -Infinity]
      const outputs: unknown[] = []
      const calls: MessageCall[] = []
      for (const [rank, answer] of answers.entries()) {
        const trace = this.#traces[rank]
        if (answer.type !== 'ran' || !trace) continue
        if (answer.chunk) trace.append(answer.chunk)
        calls.push(...trace.takeMessages())
        startNs = Math.min(startNs, answer.startNs + trace.shiftNs)
        endNs = Math.max(endNs, answer.endNs + trace.shiftNs)
        if (answer.ending.how === 'threw')
          throw new FaultError({
            ...answer.ending.fault,
            message: `Rank ${String(rank)}: ${answer.ending.fault.message}`,
          })
        outputs.push(answer.ending.how === 'returned' ? answer.ending.output : undefined)
      }
      pairMessages(this.#options.builder, calls)
      return { startNs, endNs, outputs, hang }
    } finally {
      endWatch()
      clearTimeout(lastCall)
    }
  }

  /** Ends all threads, whatever they do. */
  close(): void {
    this.#hasEnded = true
    for (const { post, end } of this.#threads) {
      post({ type: 'end' })
      end()
    }
  }

  #heard(rank: number, answer: RankReply): void {
    if (this.#hasEnded) return
    if (answer.type === 'failed') {
      this.#fail({ ...answer.fault, message: `Rank ${String(rank)}: ${answer.fault.message}` })
      return
    }
    if (answer.type === 'state') {
      this.#states[rank] = answer.state
      return
    }
    const waiting = this.#waiting[rank]
    if (waiting?.type !== answer.type) return
    this.#waiting[rank] = null
    waiting.resolve(answer)
  }

  #ask(rank: number, order: RankCommand, type: RankReply['type']): Promise<RankReply> {
    const answered = new Promise<RankReply>((resolve) => (this.#waiting[rank] = { type, resolve }))
    this.#threads[rank]?.post(order)
    return Promise.race([answered, this.#failed])
  }

  #all(
    size: number,
    orderOf: (rank: number) => RankCommand,
    type: RankReply['type'],
  ): Promise<readonly RankReply[]> {
    return Promise.all(Array.from({ length: size }, (_, rank) => this.#ask(rank, orderOf(rank), type)))
  }

  async #ping(rank: number): Promise<readonly Reply[]> {
    const { now, sharesMemory, pings = sharesMemory ? 'memory' : 'messages' } = this.#options
    if (pings === 'memory') {
      const memory = clockMemory()
      await this.#ask(rank, { type: 'pings', memory }, 'pinged') // from here on it is blocked
      return askPings(memory, now)
    }
    const replies: Reply[] = []
    for (let ping = 0; ping < PINGS; ping += 1) {
      const askedMs = now()
      const answer = await this.#ask(rank, { type: 'ping' }, 'pinged')
      if (answer.type === 'pinged') replies.push({ askedMs, answeredMs: answer.atMs, heardMs: now() })
    }
    return replies
  }

  #openWire(size: number): void {
    if (this.#wires.has(size)) return
    const threads = this.#threads.slice(0, size)
    if (this.#options.sharesMemory) {
      const memory = makeWire(size)
      this.#wires.set(size, memory)
      for (const { post } of threads) post({ type: 'wire', size, memory })
      return
    }
    this.#wires.set(size, 'ports')
    for (const [rank, ports] of makePorts(size).entries())
      threads[rank]?.post(
        { type: 'wire', size, ports },
        ports.filter((port) => port !== null),
      )
  }

  /** Null: not all have answered since they were last asked, as one does not that computes. */
  #statesNow(size: number): readonly RankState[] | null {
    const wire = this.#wires.get(size)
    if (wire && wire !== 'ports') return statesOf(wire)
    const known = this.#states.slice(0, size)
    this.#states = Array.from({ length: size }, () => null)
    for (const { post } of this.#threads.slice(0, size)) post({ type: 'state', size })
    const answered = known.filter((state) => state !== null)
    return answered.length === size ? answered : null
  }
}
