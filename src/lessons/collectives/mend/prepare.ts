/** Four ranks that add up a buffer. */
import { blockIn, rankRuns } from '../../../exercises/worker/ranks-at-once'
import { seedFor } from '../../../exercises/worker/square'
import type { PrepareExercise } from '../../../exercises/workload'
import { BLOCK, SIZE, WORDS, type Shards } from './checks'

const LARGEST = 1000

export const prepare: PrepareExercise<Shards> = (context, { seed }) => {
  const numbersOf = (rank: number) =>
    Float32Array.from({ length: WORDS }, (_, index) => seedFor(index + rank * WORDS, seed) % LARGEST)
  const runs = rankRuns<Shards>(context, {
    name: 'reduce-scatter',
    size: SIZE,
    inputOf: (rank) => ({ data: numbersOf(rank) }),
    find: ({ outputs, sent, received }) => {
      const toNext = sent.map((own, rank) => own.filter(({ to }) => to === (rank + 1) % SIZE))
      const countIn = (messages: (typeof sent)[number]) =>
        messages.reduce((sum, { block }) => sum + block.length, 0)
      return {
        sent: sent.map(countIn),
        toNext: toNext.map(countIn),
        received,
        words: toNext.flatMap((own) => own.flatMap(({ block }) => [...block])),
        got: outputs.flatMap((output) => blockIn(output, BLOCK)),
      }
    },
  })
  return Promise.resolve({ plan: {}, runs })
}
