/**
 * The wire between ranks that share memory, as Gloo's and MPI's are on one host: for each ordered
 * pair of ranks a few slots that the sender fills and the receiver empties, and for each rank a
 * doorbell that whoever changes something for it rings. A rank with nothing to move sleeps on its
 * doorbell (`Atomics.wait`: a futex). Large messages go through the slots in pieces, so that both
 * sides copy at once.
 *
 * What each rank waits for is written beside it, for `wait-for.ts`.
 */
import { assertPeer, bytesOf, sizesDiffer, WireError, type WireEnd } from './endpoint'
import type { RankState } from './wait-for'

/** A piece stays in a core's second-level cache (1 to 2 MiB) with the piece before it. */
const SLOT_BYTES = 64 * 1024
const SLOTS = 4
/** Sets of ranks are bits of an Int32. */
const MAX_RANKS = 31

/** Whole wire. Structured clone shares it. */
export interface WireMemory {
  readonly size: number
  /** Int32. */
  readonly control: SharedArrayBuffer
  readonly slots: SharedArrayBuffer
}

const RANK_WORDS = 5
const PAIR_WORDS = 2 + SLOTS
const STATUS_OF = ['running', 'waiting', 'ended'] as const

/** Int32 indices of a wire of `size` ranks. */
const layoutOf = (size: number) => {
  const rankWord = (rank: number, word: number) => rank * RANK_WORDS + word
  const pairWord = (from: number, to: number, word: number) =>
    size * RANK_WORDS + (from * size + to) * PAIR_WORDS + word
  return {
    bell: (rank: number) => rankWord(rank, 0),
    /** Index into STATUS_OF. */
    status: (rank: number) => rankWord(rank, 1),
    /**
     * The doorbell's value when it last found nothing to do: whoever waits at another value has
     * been rung.
     */
    sleptAt: (rank: number) => rankWord(rank, 2),
    /** Bits of the ranks that it has sends outstanding to. */
    sends: (rank: number) => rankWord(rank, 3),
    recvs: (rank: number) => rankWord(rank, 4),
    /** Pieces written and read so far, modulo 2^32. */
    written: (from: number, to: number) => pairWord(from, to, 0),
    read: (from: number, to: number) => pairWord(from, to, 1),
    /** Bytes of the whole message that the piece in the slot is of. */
    bytes: (from: number, to: number, slot: number) => pairWord(from, to, 2 + slot),
    slot: (from: number, to: number, slot: number) => ((from * size + to) * SLOTS + slot) * SLOT_BYTES,
    words: size * RANK_WORDS + size * size * PAIR_WORDS,
    slotBytes: size * size * SLOTS * SLOT_BYTES,
  }
}

/**
 * @throws RangeError for a number of ranks outside 1 to 31; where the browser has not so much
 * memory: 256 KiB for each ordered pair.
 */
export function makeWire(size: number): WireMemory {
  if (!Number.isInteger(size) || size < 1 || size > MAX_RANKS)
    throw new RangeError(`A wire has 1 to ${String(MAX_RANKS)} ranks, not ${String(size)}.`)
  const { words, slotBytes } = layoutOf(size)
  return { size, control: new SharedArrayBuffer(4 * words), slots: new SharedArrayBuffer(slotBytes) }
}

/**
 * The wait of each rank at this moment. A rank whose doorbell has rung since it went to sleep is
 * running.
 */
export function statesOf({ size, control }: WireMemory): readonly RankState[] {
  const words = new Int32Array(control)
  const at = layoutOf(size)
  const ranksOf = (bits: number) =>
    Array.from({ length: size }, (_, rank) => rank).filter((rank) => (bits & (1 << rank)) !== 0)
  return Array.from({ length: size }, (_, rank) => {
    const said = STATUS_OF[Atomics.load(words, at.status(rank))] ?? 'running'
    const isRung = Atomics.load(words, at.bell(rank)) !== Atomics.load(words, at.sleptAt(rank))
    return {
      status: said === 'waiting' && isRung ? 'running' : said,
      sendsTo: ranksOf(Atomics.load(words, at.sends(rank))),
      recvsFrom: ranksOf(Atomics.load(words, at.recvs(rank))),
    }
  })
}

interface Message {
  readonly bytes: Uint8Array
  /** Pieces moved by this side so far. */
  moved: number
  readonly resolve: () => void
  readonly reject: (reason: Error) => void
}
/** What a look at a queue came to; the largest counts. */
const [NOTHING, MOVED, ENDED] = [0, 1, 2] as const
const piecesOf = ({ bytes }: Message) => Math.max(1, Math.ceil(bytes.length / SLOT_BYTES))

export interface SharedEndpointOptions {
  /**
   * How long a rank sleeps at most before its event loop has a turn, ms: WebGPU's promises resolve
   * only there. 0 never sleeps (tests with all ranks in one thread).
   */
  readonly sleepMs?: number
}
const SLEEP_MS = 1

/**
 * Calls of a program go on after some turns of the microtask queue: `Promise.all` takes three, an
 * async function round a call as many more. A rank that fell asleep before its program could make
 * the next call would make its neighbours wait for the time above.
 */
const TURNS_BEFORE_SLEEP = 16

export class SharedEndpoint implements WireEnd {
  readonly rank: number
  readonly size: number
  readonly #words: Int32Array
  readonly #slots: Uint8Array
  readonly #at: ReturnType<typeof layoutOf>
  readonly #sleepMs: number
  /** By rank, the oldest first. */
  readonly #sends: Message[][]
  readonly #recvs: Message[][]
  readonly #tasks = new Tasks()
  #isMoving = false
  /** Why it was cut; null: it was not. */
  #cut: string | null = null

  constructor(wire: WireMemory, rank: number, { sleepMs = SLEEP_MS }: SharedEndpointOptions = {}) {
    this.rank = rank
    this.size = wire.size
    this.#words = new Int32Array(wire.control)
    this.#slots = new Uint8Array(wire.slots)
    this.#at = layoutOf(wire.size)
    this.#sleepMs = sleepMs
    this.#sends = Array.from({ length: wire.size }, () => [])
    this.#recvs = Array.from({ length: wire.size }, () => [])
    this.#store(this.#at.status(rank), 0)
  }

  send(to: number, data: ArrayBufferView): Promise<void> {
    return this.#ask(this.#sends, to, data)
  }

  recv(from: number, into: ArrayBufferView): Promise<void> {
    return this.#ask(this.#recvs, from, into)
  }

  begin(): void {
    this.#store(this.#at.status(this.rank), STATUS_OF.indexOf('running'))
  }

  end(): void {
    this.#store(this.#at.status(this.rank), STATUS_OF.indexOf('ended'))
  }

  cut(reason: string): void {
    this.#cut ??= reason
    this.#failAll(new WireError(this.#cut))
  }

  async #ask(queues: readonly Message[][], peer: number, view: ArrayBufferView): Promise<void> {
    assertPeer(this, peer)
    if (this.#cut !== null) throw new WireError(this.#cut)
    const done = new Promise<void>((resolve, reject) =>
      queues[peer]?.push({ bytes: bytesOf(view), moved: 0, resolve, reject }),
    )
    this.#store(this.#at.status(this.rank), STATUS_OF.indexOf('running'))
    // In the next turn: calls that are made together wait together.
    if (!this.#isMoving) {
      this.#isMoving = true
      queueMicrotask(() => {
        this.#move().catch((bug: unknown) =>
          this.#failAll(bug instanceof Error ? bug : new Error(String(bug))),
        )
      })
    }
    return done
  }

  async #move(): Promise<void> {
    const { rank } = this
    const bell = this.#at.bell(rank)
    for (;;) {
      const rung = Atomics.load(this.#words, bell)
      const did = this.#moveOnce()
      if (this.#isIdle()) break
      if (did === ENDED) {
        await turns(TURNS_BEFORE_SLEEP)
        continue
      }
      if (did === MOVED) continue
      this.#store(this.#at.sends(rank), bitsOf(this.#sends))
      this.#store(this.#at.recvs(rank), bitsOf(this.#recvs))
      this.#store(this.#at.sleptAt(rank), rung)
      this.#store(this.#at.status(rank), STATUS_OF.indexOf('waiting'))
      if (this.#sleepMs === 0 || Atomics.wait(this.#words, bell, rung, this.#sleepMs) === 'timed-out')
        await this.#tasks.next()
    }
    this.#isMoving = false
    this.#store(this.#at.status(rank), STATUS_OF.indexOf('running'))
  }

  /** Moves what can be moved now. */
  #moveOnce(): number {
    let did: number = NOTHING
    for (let peer = 0; peer < this.size; peer += 1)
      did = Math.max(
        did,
        this.#push(peer, this.#sends[peer] ?? []),
        this.#pull(peer, this.#recvs[peer] ?? []),
      )
    return did
  }

  #push(to: number, queue: Message[]): number {
    const [message] = queue
    if (!message) return NOTHING
    const { rank } = this
    const written = this.#at.written(rank, to)
    const read = this.#at.read(rank, to)
    const pieces = piecesOf(message)
    let did: number = NOTHING
    for (; message.moved < pieces; message.moved += 1) {
      const count = this.#load(written)
      if (((count - this.#load(read)) | 0) >= SLOTS) break
      const slot = (count >>> 0) % SLOTS
      const from = message.moved * SLOT_BYTES
      this.#slots.set(message.bytes.subarray(from, from + SLOT_BYTES), this.#at.slot(rank, to, slot))
      this.#store(this.#at.bytes(rank, to, slot), message.bytes.length)
      this.#store(written, (count + 1) | 0)
      this.#ring(to)
      did = MOVED
    }
    // Once received: the slots are empty again, and nothing of a later message is in them yet.
    if (message.moved < pieces || this.#load(written) !== this.#load(read)) return did
    queue.shift()
    message.resolve()
    return ENDED
  }

  #pull(from: number, queue: Message[]): number {
    const [message] = queue
    if (!message) return NOTHING
    const { rank } = this
    const written = this.#at.written(from, rank)
    const read = this.#at.read(from, rank)
    const pieces = piecesOf(message)
    let did: number = NOTHING
    for (; message.moved < pieces; message.moved += 1) {
      const count = this.#load(read)
      if (count === this.#load(written)) return did
      const slot = (count >>> 0) % SLOTS
      const bytes = this.#load(this.#at.bytes(from, rank, slot))
      if (bytes !== message.bytes.length) {
        queue.shift()
        message.reject(sizesDiffer(rank, message.bytes.length, from, bytes))
        return ENDED
      }
      const to = message.moved * SLOT_BYTES
      const start = this.#at.slot(from, rank, slot)
      const length = Math.min(SLOT_BYTES, message.bytes.length - to)
      message.bytes.set(this.#slots.subarray(start, start + length), to)
      this.#store(read, (count + 1) | 0)
      this.#ring(from)
      did = MOVED
    }
    queue.shift()
    message.resolve()
    return ENDED
  }

  #ring(rank: number): void {
    const bell = this.#at.bell(rank)
    Atomics.add(this.#words, bell, 1)
    Atomics.notify(this.#words, bell)
  }

  #isIdle(): boolean {
    return this.#sends.every(({ length }) => length === 0) && this.#recvs.every(({ length }) => length === 0)
  }

  #failAll(reason: Error): void {
    for (const queue of [...this.#sends, ...this.#recvs])
      for (const message of queue.splice(0)) message.reject(reason)
  }

  #load(word: number): number {
    return Atomics.load(this.#words, word)
  }
  #store(word: number, value: number): void {
    Atomics.store(this.#words, word, value)
  }
}

const bitsOf = (queues: readonly (readonly Message[])[]): number =>
  queues.reduce((bits, { length }, rank) => (length > 0 ? bits | (1 << rank) : bits), 0)

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve()
}

/** Turns of the event loop, by messages to itself: a timer of 0 ms waits for 1 to 4. */
class Tasks {
  readonly #port: MessagePort
  #resume: (() => void) | undefined

  constructor() {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => this.#resume?.()
    this.#port = port2
  }

  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#resume = resolve
      this.#port.postMessage(null)
    })
  }
}
