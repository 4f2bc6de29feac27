/** Two ranks that exchange blocks: what they send is noted. */
import { blockIn, ranksAtOnce } from '../../../exercises/worker/ranks-at-once'
import { seedFor } from '../../../exercises/worker/square'
import type { Given } from '../../../exercises/names'
import { runsOf, type PrepareExercise, type WorkloadRun } from '../../../exercises/workload'
import { type input, blocksOf, RANKS, ROUNDS, WORDS, type Exchange } from './checks'

/** Of what a rank sends: more is not looked at. */
const MOST_BLOCKS = 64

export const prepare: PrepareExercise<Exchange> = (context, { seed }) => {
  const runOf = (repeat: number, at: number): WorkloadRun<Exchange> => {
    const own = seedFor(at, seed)
    const sent: number[][] = [[], []]
    const received = [0, 0]
    const ranks = ranksAtOnce(context, {
      size: RANKS.length,
      inputOf: (rank) =>
        ({ rounds: ROUNDS, block: blocksOf(own)[0]?.[rank] ?? new Float32Array() }) satisfies Given<
          typeof input
        >,
      sent: (rank, _, block) => {
        const room = MOST_BLOCKS * WORDS - (sent[rank]?.length ?? 0)
        sent[rank]?.push(...block.subarray(0, Math.max(0, room)))
      },
      received: (rank, block) => {
        received[rank] = (received[rank] ?? 0) + block.length / WORDS
      },
    })
    return {
      name: 'exchange',
      repeat,
      facts: { seed: own },
      input: {},
      execute: ranks.execute,
      find: () =>
        Promise.resolve({
          sent0: Float32Array.from(sent[0] ?? []),
          sent1: Float32Array.from(sent[1] ?? []),
          received,
          got: Float32Array.from(RANKS.flatMap((rank) => blockIn(ranks.outputs()[rank], WORDS))),
          waits: ranks.waits(),
        }),
    }
  }
  return Promise.resolve({
    plan: {},
    runs: runsOf(runOf),
  })
}
