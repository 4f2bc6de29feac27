/**
 * Ranks of a mend, all in one worker: a program's calls at the same time, with a wire between them,
 * and a watch over who waits for whom.
 */
import type { RunContext } from '../../gpu'
import type { Program } from '../workload'
import { assertPeer, WireError } from '../../lab/ranks/endpoint'
import { makePorts, PortEndpoint } from '../../lab/ranks/port-wire'
import type { Stuck } from '../../lab/ranks/wait-for'
import { watchStuck } from '../../lab/ranks/watch-stuck'

/**
 * All ranks are in one thread, whose states are read at one moment; and a program is ended after 5
 * s.
 */
const STANDS_MS = 500

export interface RanksPlan {
  readonly size: number
  readonly inputOf: (rank: number) => object
  /** A block as it was when the program handed it over. */
  readonly sent: (rank: number, peer: number, block: Float32Array) => void
  /** After it has come. */
  readonly received: (rank: number, block: Float32Array) => void
}

export interface RanksAtOnce {
  /**
   * In place of `program({ device, lab, input })`: once for each rank. Throws what a rank threw,
   * and not that its wire was cut.
   */
  readonly execute: (program: Program | null) => Promise<void>
  /** By rank: what it returned; null where its wire was cut. */
  readonly outputs: () => readonly unknown[]
  /**
   * Three numbers for each wait that would never have ended: who, 1 in send() or 0 in recv(), for
   * whom.
   */
  readonly waits: () => readonly number[]
}

/** Called while the work is prepared: the program's global has no timers and no channels. */
export function ranksAtOnce(
  context: Pick<RunContext, 'session' | 'own'>,
  { size, inputOf, sent, received }: RanksPlan,
): RanksAtOnce {
  const timers = { start: setInterval.bind(globalThis), stop: clearInterval.bind(globalThis) } as const
  const ends = makePorts(size).map((ports, rank) => new PortEndpoint(rank, ports))
  context.own({
    destroy: () => {
      for (const end of ends) end.close()
    },
  })
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
      if (operation === 'send') sent(rank, peer, block)
      const message = { bytes: block.byteLength, sequence }
      await context.session.messaged(operation, peer, message, () => end[operation](peer, block))
      if (operation === 'recv') received(rank, block)
    }
    return {
      rank,
      size,
      send: (to: number, block: ArrayBufferView) => call('send', to, block),
      recv: (from: number, block: ArrayBufferView) => call('recv', from, block),
      input: inputOf(rank),
    }
  }

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
  return {
    execute,
    outputs: () => outputs,
    waits: () =>
      (hang?.edges ?? []).flatMap(({ from, operation, to }) => [from, operation === 'send' ? 1 : 0, to]),
  }
}

/** A rank's return value as plain data; NaN where it is no block of that length. */
export const blockIn = (output: unknown, length: number): readonly number[] =>
  Array.isArray(output) && output.length === length ? output.map(Number) : Array<number>(length).fill(NaN)
