/**
 * Runs of an exercise on several ranks, all in one worker: a program's calls at the same time, with
 * a wire between them, a note of every message, and a watch over who waits for whom.
 */
import type { RunContext } from '../../gpu'
import { assertPeer, WireError } from '../../lab/ranks/endpoint'
import { makePorts, PortEndpoint } from '../../lab/ranks/port-wire'
import { type Stuck, watchStuck } from '../../lab/ranks/wait-for'
import { runsOf, type Program, type WorkloadRun } from '../workload'
import type { Found } from '../types'

/**
 * All ranks are in one thread, whose states are read at one moment; and a program is ended after 5
 * s.
 */
const STANDS_MS = 500
/** Messages of a rank that are kept, and numbers of each: more are too many in every exercise. */
const MOST_MESSAGES = 256
const MOST_NUMBERS = 4096

interface Sent {
  readonly to: number
  /** The block's contents when the program handed it over. */
  readonly block: Float32Array
}

/** What the ranks did in a run, by rank. */
interface RankNotes {
  /** What it returned; null where its wire was cut. */
  readonly outputs: readonly unknown[]
  readonly sent: readonly (readonly Sent[])[]
  /** How many numbers it received. */
  readonly received: readonly number[]
}

interface RanksPlan<F extends Found> {
  readonly name: string
  readonly size: number
  /** Called for each rank of each run. */
  readonly inputOf: (rank: number) => object
  readonly before?: () => void
  readonly find: (notes: RankNotes) => Omit<F, 'waits'>
}

/**
 * The warm-up and the graded runs. Their wires are made here: a program's global has no channels
 * and no timers. `found.waits`: see rules.ts.
 */
export function rankRuns<F extends Found>(
  context: Pick<RunContext, 'session' | 'own'>,
  { name, size, inputOf, before, find }: RanksPlan<F>,
): readonly WorkloadRun<F>[] {
  const timers = { start: setInterval.bind(globalThis), stop: clearInterval.bind(globalThis) } as const
  return runsOf<F>({ name, input: {}, find: () => ({}) as F }).map((run) => {
    const ends = makePorts(size).map((ports, rank) => new PortEndpoint(rank, ports))
    context.own({
      destroy: () => {
        for (const end of ends) end.close()
      },
    })
    const sent: Sent[][] = ends.map(() => [])
    const received = ends.map(() => 0)
    let outputs: readonly unknown[] = []
    let hang: Stuck | null = null

    const scopeOf = (end: PortEndpoint) => {
      const { rank } = end
      const sequences = new Map<string, number>()
      const call = async (operation: 'send' | 'recv', peer: number, block: ArrayBufferView) => {
        if (!(block instanceof Float32Array))
          throw new TypeError(`${operation}(rank, block): a block is a Float32Array.`)
        assertPeer(end, peer)
        const key = `${operation} ${String(peer)}`
        const sequence = sequences.get(key) ?? 0
        sequences.set(key, sequence + 1)
        const own = sent[rank]
        if (operation === 'send' && own && own.length < MOST_MESSAGES)
          own.push({ to: peer, block: block.slice(0, MOST_NUMBERS) })
        const message = { bytes: block.byteLength, sequence }
        await context.session.messaged(operation, peer, message, () => end[operation](peer, block))
        if (operation === 'recv') received[rank] = (received[rank] ?? 0) + block.length
      }
      return {
        rank,
        size,
        send: (to: number, block: ArrayBufferView) => call('send', to, block),
        recv: (from: number, block: ArrayBufferView) => call('recv', from, block),
        input: inputOf(rank),
      }
    }

    /** Throws what a rank threw, and not that its wire was cut. */
    const execute = async (program: Program | null): Promise<void> => {
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
              return await program?.(scopeOf(end))
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
    const waits = () =>
      (hang?.edges ?? []).flatMap(({ from, operation, to }) => [from, operation === 'send' ? 1 : 0, to])
    return {
      ...run,
      before: () => Promise.resolve(before?.()),
      execute,
      find: () => ({ ...find({ outputs, sent, received }), waits: waits() }) as unknown as F, // with them it is F
    }
  })
}

/** A rank's return value as plain data; NaN where it is no block of that length. */
export const blockIn = (output: unknown, length: number): readonly number[] =>
  Array.isArray(output) && output.length === length ? output.map(Number) : Array<number>(length).fill(NaN)
