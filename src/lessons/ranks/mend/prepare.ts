/** Two ranks that exchange blocks. */
import { blockIn, rankRuns } from '../../../exercises/worker/ranks-at-once'
import { seedFor } from '../../../exercises/worker/square'
import type { PrepareExercise } from '../../../exercises/workload'
import { RANKS, ROUNDS, WORDS, type Exchange } from './checks'

/** Times 3 in each round at most: below 2^24 for the 4 rounds. */
const LARGEST = 1000

export const prepare: PrepareExercise<Exchange> = (context, { seed }) => {
  const blockOf = (rank: number) =>
    Float32Array.from({ length: WORDS }, (_, index) => seedFor(index + rank * WORDS, seed) % LARGEST)
  const runs = rankRuns<Exchange>(context, {
    name: 'exchange',
    size: RANKS.length,
    inputOf: (rank) => ({ rounds: ROUNDS, block: blockOf(rank) }),
    find: ({ outputs, sent, received }) => ({
      sent: sent.flatMap((own) => own.flatMap(({ block }) => [...block])),
      sentBlocks: sent.map((own) => own.reduce((sum, { block }) => sum + block.length, 0) / WORDS),
      received: received.map((count) => count / WORDS),
      got: outputs.flatMap((output) => blockIn(output, WORDS)),
    }),
  })
  return Promise.resolve({ plan: {}, runs })
}
