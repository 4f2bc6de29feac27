/**
 * Ranks in one thread, each with a clock of its own: computing moves its rank's, and a message ends
 * α after the later of its two ranks has come. Nobody waits for a core, and bytes take no time.
 * The programs are the lab's own schedules, whose test says that they end.
 */
import { addTo } from '../base/lists'
import type { RankProgram } from '../lab/lab'
import { bytesOf } from '../lab/ranks/endpoint'

type Scope = Parameters<RankProgram>[0]

interface Call {
  readonly at: number
  readonly data: Uint8Array
  readonly resolve: (at: number) => void
}

export class ModelledRanks {
  readonly now: number[]
  /** By rank: when it computed. */
  readonly busy: readonly { readonly startNs: number; readonly endNs: number }[][]
  readonly #alphaNs: number
  readonly #nsPerFlop: number
  /** By direction and pair. */
  readonly #calls = new Map<string, Call[]>()

  constructor(size: number, { alphaNs = 0, nsPerFlop = 1 } = {}) {
    this.now = Array.from({ length: size }, () => 0)
    this.busy = this.now.map(() => [])
    this.#alphaNs = alphaNs
    this.#nsPerFlop = nsPerFlop
  }

  /** Runs the program on all ranks, from the time at which the last of them is free. */
  async run(program: RankProgram, inputOf: (rank: number) => unknown): Promise<void> {
    this.now.fill(Math.max(...this.now))
    await Promise.all(
      this.now.map((_, rank) =>
        program({ ...this.#scopeOf(rank), size: this.now.length, device: null, input: inputOf(rank) }),
      ),
    )
  }

  #scopeOf(rank: number): Pick<Scope, 'rank' | 'send' | 'recv' | 'lab'> {
    return {
      rank,
      send: (to, data) => this.#meet(rank, 'send', `${String(rank)} ${String(to)}`, data),
      recv: (from, into) => this.#meet(rank, 'recv', `${String(from)} ${String(rank)}`, into),
      lab: {
        steps: () => [],
        compute: async (_label, flops, body) => {
          const made = await body()
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
    const at = this.now[rank] ?? 0
    const data = bytesOf(view)
    const other = this.#calls.get(`${way === 'send' ? 'recv' : 'send'} ${pair}`)?.shift()
    const met = other
      ? Math.max(at, other.at) + this.#alphaNs
      : await new Promise<number>((resolve) => {
          addTo(this.#calls, `${way} ${pair}`, { at, data, resolve })
        })
    if (other) {
      if (way === 'send') other.data.set(data)
      else data.set(other.data)
      other.resolve(met)
    }
    this.now[rank] = Math.max(this.now[rank] ?? 0, met)
  }
}
