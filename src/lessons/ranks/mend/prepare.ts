/** Two ranks in one worker: a program's two calls at the same time, with a wire between them. What they send is noted, and who waits for whom. */
import { seedFor } from '../../../mend/worker/square'
import type { PrepareMend, WorkloadRun } from '../../../mend/workload'
import { WireError } from '../../../ranks/endpoint'
import { makePorts, PortEndpoint } from '../../../ranks/port-wire'
import type { Stuck } from '../../../ranks/wait-for'
import { watchStuck } from '../../../ranks/watch-stuck'
import { REPEAT_WARM_UP } from '../../../trace/schema'
import { blocksOf, RANKS, ROUNDS, WORDS } from './exchange'

const RUNS = 3
/** Both ranks are in one thread, whose states are read at one moment; and a program is ended after 5 s. */
const STANDS_MS = 500
/** Of what a program sends: more is not looked at. */
const MOST_MESSAGES = 64

type Ranked = (scope: object) => unknown

export const prepare: PrepareMend = (context, { seed }) => {
  const { session } = context
  // Before the global is emptied.
  const timers = { start: setInterval.bind(globalThis), stop: clearInterval.bind(globalThis) } as const

  const runOf = (repeat: number, at: number): WorkloadRun => {
    const own = seedFor(at, seed)
    const ends = makePorts(RANKS.length).map((ports, rank) => new PortEndpoint(rank, ports))
    context.own({
      destroy: () => {
        for (const end of ends) end.close()
      },
    })
    const sent: number[][] = [[], []]
    const received = [0, 0]
    let outputs: readonly unknown[] = []
    let hang: Stuck | null = null

    const scopeOf = (end: PortEndpoint) => {
      const { rank } = end
      const counts = { send: 0, recv: 0 }
      const call = (operation: 'send' | 'recv', peer: number, view: ArrayBufferView) => {
        if (!(view instanceof Float32Array))
          throw new TypeError(`${operation}(rank, block): a block is a Float32Array.`)
        const { byteLength: bytes } = view
        const sequence = counts[operation]
        counts[operation] += 1
        if (operation === 'send' && counts.send <= MOST_MESSAGES)
          sent[rank]?.push(...(view.length === WORDS ? view : [NaN]))
        return session.messaged(operation, peer, { bytes, sequence }, () => end[operation](peer, view))
      }
      return Object.freeze({
        rank,
        size: RANKS.length,
        send: (to: number, block: ArrayBufferView) => call('send', to, block),
        recv: async (from: number, block: ArrayBufferView) => {
          await call('recv', from, block)
          received[rank] = (received[rank] ?? 0) + 1
        },
        input: Object.freeze({ rounds: ROUNDS, block: blocksOf(own)[0]?.[rank] ?? new Float32Array() }),
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
      name: 'exchange',
      repeat,
      facts: { seed: own },
      input: {},
      execute,
      find: () =>
        Promise.resolve({
          ...Object.fromEntries(
            RANKS.map((rank) => [`sent${String(rank)}`, Float32Array.from(sent[rank] ?? [])]),
          ),
          received,
          got: Float32Array.from(RANKS.flatMap((rank) => blockIn(outputs[rank]))),
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
  output instanceof Float32Array && output.length === WORDS ? [...output] : Array<number>(WORDS).fill(NaN)
