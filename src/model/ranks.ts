/**
 * Ranks in one thread, each with a clock of its own: computing moves its rank's, and a message ends
 * α after the later of its two ranks has come. Nobody waits for a core, and bytes take no time.
 * Ranks of which none can go on are ended with who waits for whom.
 */
import type { RankProgram } from '../lab/lab'
import { findStuck, stuckText, type RankState } from '../lab/ranks/wait-for'
import { immediately, ModelError } from './clock'

type Scope = Parameters<RankProgram>[0]

interface Call {
  readonly at: number
  readonly data: Uint8Array
  readonly resolve: (at: number) => void
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

export class ModelledRanks {
  readonly now: number[]
  /** By rank: when it computed. */
  readonly busy: readonly { readonly startNs: number; readonly endNs: number }[][]
  readonly #alphaNs: number
  readonly #nsPerFlop: number
  /** By direction and pair. */
  readonly #calls = new Map<string, Call[]>()
  readonly #ended = new Set<number>()
  /** Calls made, and bodies that compute now: while either changes, somebody goes on. */
  #made = 0
  #computing = 0

  constructor(size: number, { alphaNs = 0, nsPerFlop = 1 } = {}) {
    this.now = Array.from({ length: size }, () => 0)
    this.busy = this.now.map(() => [])
    this.#alphaNs = alphaNs
    this.#nsPerFlop = nsPerFlop
  }

  /**
   * Runs the program on all ranks, from the time at which the last of them is free. @throws
   * ModelError where they never end
   */
  async run(program: RankProgram, inputOf: (rank: number) => unknown): Promise<void> {
    this.now.fill(Math.max(...this.now))
    this.#ended.clear()
    const runs = this.now.map(async (_, rank) => {
      await program({ ...this.#scopeOf(rank), size: this.now.length, device: null, input: inputOf(rank) })
      this.#ended.add(rank)
    })
    await Promise.race([Promise.all(runs), this.#untilStuck()])
  }

  /**
   * Rejects once a turn of the thread's own loop has gone by in which no rank went on; resolves
   * when all have ended.
   */
  async #untilStuck(): Promise<void> {
    for (let seen = -1; this.#ended.size < this.now.length;) {
      await new Promise<void>((turn) => {
        immediately(turn)
      })
      if (this.#ended.size === this.now.length) return
      const now = this.#made + this.#ended.size
      if (now === seen && this.#computing === 0) throw new ModelError(this.#whoWaits())
      seen = now
    }
  }

  #whoWaits(): string {
    const states = this.now.map((_, rank): RankState => {
      const [sendsTo, recvsFrom] = [this.#outstanding('send', rank), this.#outstanding('recv', rank)]
      const isWaiting = sendsTo.length + recvsFrom.length > 0
      return {
        status: this.#ended.has(rank) ? 'ended' : isWaiting ? 'waiting' : 'running',
        sendsTo,
        recvsFrom,
      }
    })
    const elsewhere = states.flatMap(({ status }, rank) => (status === 'running' ? [rank] : []))
    if (elsewhere.length > 0)
      return `Nothing is pending: rank ${elsewhere.join(', ')} waits for something that is neither send nor recv.`
    const stuck = findStuck(states)
    return stuck ? stuckText(stuck) : 'Nothing is pending.'
  }

  /** The ranks that a rank has calls of this way outstanding to, or from. */
  #outstanding(way: 'send' | 'recv', rank: number): readonly number[] {
    return this.now.flatMap((_, other) => {
      const pair = way === 'send' ? [rank, other] : [other, rank]
      return (this.#calls.get(`${way} ${pair.join(' ')}`)?.length ?? 0) > 0 ? [other] : []
    })
  }

  #scopeOf(rank: number): Pick<Scope, 'rank' | 'send' | 'recv' | 'lab'> {
    return {
      rank,
      send: (to, data) => this.#meet(rank, 'send', `${String(rank)} ${String(to)}`, data),
      recv: (from, into) => this.#meet(rank, 'recv', `${String(from)} ${String(rank)}`, into),
      lab: {
        steps: () => [],
        compute: async (_label, flops, body) => {
          this.#computing += 1
          const made = await body()
          this.#computing -= 1
          this.#made += 1
          const startNs = this.now[rank] ?? 0
          const endNs = startNs + flops * this.#nsPerFlop
          this.busy[rank]?.push({ startNs, endNs })
          this.now[rank] = endNs
          return made
        },
      },
    }
  }

  async #meet(rank: number, way: 'send' | 'recv', pair: string, view: ArrayBufferView): Promise<void> {
    this.#made += 1
    const at = this.now[rank] ?? 0
    const data = bytesOf(view)
    const other = this.#calls.get(`${way === 'send' ? 'recv' : 'send'} ${pair}`)?.shift()
    const met = other
      ? Math.max(at, other.at) + this.#alphaNs
      : await new Promise<number>((resolve) => {
          const own = `${way} ${pair}`
          const waiting = this.#calls.get(own) ?? []
          waiting.push({ at, data, resolve })
          this.#calls.set(own, waiting)
        })
    if (other) {
      if (way === 'send') other.data.set(data)
      else data.set(other.data)
      other.resolve(met)
    }
    this.now[rank] = Math.max(this.now[rank] ?? 0, met)
  }
}
