/** Four ranks in one worker: a program's calls at the same time, with a wire between them. What goes over it is noted, and who waits for whom. */
import { seedFor } from '../../../mend/worker/square'
import type { PrepareMend, WorkloadRun } from '../../../mend/workload'
import { WireError } from '../../../ranks/endpoint'
import { makePorts, PortEndpoint } from '../../../ranks/port-wire'
import type { Stuck } from '../../../ranks/wait-for'
import { watchStuck } from '../../../ranks/watch-stuck'
import { REPEAT_WARM_UP } from '../../../trace/schema'
import { BLOCK, buffersOf, RANKS, SIZE, WORDS } from './shards'

const RUNS = 3
/** All ranks are in one thread, whose states are read at one moment; and a program is ended after 5 s. */
const STANDS_MS = 500
/** Numbers that a rank sends: more are counted, and not looked at. */
const MOST_KEPT = 4 * WORDS

type Ranked = (scope: object) => unknown

export const prepare: PrepareMend = (context, { seed }) => {
  const { session } = context
  // Before the global is emptied.
  const timers = { start: setInterval.bind(globalThis), stop: clearInterval.bind(globalThis) } as const

  const runOf = (repeat: number, at: number): WorkloadRun => {
    const own = seedFor(at, seed)
    const ends = makePorts(SIZE).map((ports, rank) => new PortEndpoint(rank, ports))
    context.own({
      destroy: () => {
        for (const end of ends) end.close()
      },
    })
    /** By rank: numbers sent to the next rank, and how many in all, each way. */
    const kept: number[][] = RANKS.map(() => [])
    const counts = { sent: RANKS.map(() => 0), received: RANKS.map(() => 0), elsewhere: RANKS.map(() => 0) }
    let outputs: readonly unknown[] = []
    let hang: Stuck | null = null

    const scopeOf = (end: PortEndpoint) => {
      const { rank } = end
      const sequences = new Map<string, number>()
      const call = async (operation: 'send' | 'recv', peer: number, view: ArrayBufferView) => {
        if (!(view instanceof Float32Array))
          throw new TypeError(`${operation}(rank, block): a block is a Float32Array.`)
        const key = `${operation} ${String(peer)}`
        const sequence = sequences.get(key) ?? 0
        sequences.set(key, sequence + 1)
        const { byteLength: bytes, length } = view
        const count = (of: number[]) => {
          of[rank] = (of[rank] ?? 0) + length
        }
        if (operation === 'send') {
          count(counts.sent)
          if (peer === (rank + 1) % SIZE) {
            const room = MOST_KEPT - (kept[rank]?.length ?? 0)
            kept[rank]?.push(...view.subarray(0, Math.max(0, room)))
          } else count(counts.elsewhere)
        }
        await session.messaged(operation, peer, { bytes, sequence }, () => end[operation](peer, view))
        if (operation === 'recv') count(counts.received)
      }
      return Object.freeze({
        rank,
        size: SIZE,
        send: (to: number, block: ArrayBufferView) => call('send', to, block),
        recv: (from: number, block: ArrayBufferView) => call('recv', from, block),
        input: Object.freeze({ data: buffersOf(own)[rank] ?? new Float32Array() }),
      })
    }
    const execute = async (program: unknown): Promise<void> => {
      if (typeof program !== 'function') throw new TypeError('`export default` must be a function.')
      for (const end of ends) end.begin()
      const endWatch = watchStuck(
        () => ends.map(({ state }) => state),
        (stuck) => {
          hang = stuck
          for (const end of ends) end.cut('The ranks wait for each other for ever.')
        },
        { standsMs: STANDS_MS, ...timers },
      )
      try {
        const ended = await Promise.allSettled(
          ends.map(async (end) => {
            try {
              return await (program as Ranked)(scopeOf(end))
            } finally {
              end.end()
            }
          }),
        )
        for (const each of ended)
          if (each.status === 'rejected' && !(each.reason instanceof WireError)) throw each.reason
        outputs = ended.map((each) => (each.status === 'fulfilled' ? each.value : null))
      } finally {
        endWatch()
      }
    }
    return {
      name: 'reduce-scatter',
      repeat,
      facts: { seed: own },
      input: {},
      execute,
      find: () =>
        Promise.resolve({
          ...Object.fromEntries(RANKS.map((rank) => [`sent${String(rank)}`, kept[rank] ?? []])),
          ...counts,
          got: RANKS.flatMap((rank) => blockIn(outputs[rank])),
          // Of each wait: who, whether in send, for whom.
          waits: (hang?.edges ?? []).flatMap(({ from, operation, to }) => [
            from,
            operation === 'send' ? 1 : 0,
            to,
          ]),
        }),
    }
  }
  return Promise.resolve({
    plan: {},
    runs: [
      runOf(REPEAT_WARM_UP, 0),
      ...Array.from({ length: RUNS }, (_, repeat) => runOf(repeat, repeat + 1)),
    ],
  })
}

/** What a rank returned; not numbers where it is no block. */
const blockIn = (output: unknown): readonly number[] =>
  output instanceof Float32Array && output.length === BLOCK ? [...output] : Array<number>(BLOCK).fill(NaN)
