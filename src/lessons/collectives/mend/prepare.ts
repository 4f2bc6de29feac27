/** Four ranks that add up a buffer: what each sends to the next one is noted, and how many numbers it sends and receives. */
import { blockIn, ranksAtOnce } from '../../../exercises/worker/ranks-at-once'
import { seedFor } from '../../../exercises/worker/square'
import type { Given } from '../../../exercises/names'
import { runsOf, type PrepareExercise, type WorkloadRun } from '../../../exercises/workload'
import { type input, BLOCK, buffersOf, RANKS, SIZE, WORDS, type Shards } from './checks'

/** Numbers that a rank sends: more are counted, and not looked at. */
const MOST_KEPT = 4 * WORDS

export const prepare: PrepareExercise<Shards> = (context, { seed }) => {
  const runOf = (repeat: number, at: number): WorkloadRun<Shards> => {
    const own = seedFor(at, seed)
    /** By rank: numbers sent to the next rank, and how many in all, each way. */
    const kept: number[][] = RANKS.map(() => [])
    const counts = { sent: RANKS.map(() => 0), received: RANKS.map(() => 0), elsewhere: RANKS.map(() => 0) }
    const count = (of: number[], rank: number, { length }: Float32Array) => {
      of[rank] = (of[rank] ?? 0) + length
    }
    const ranks = ranksAtOnce(context, {
      size: SIZE,
      inputOf: (rank) => ({ data: buffersOf(own)[rank] ?? new Float32Array() }) satisfies Given<typeof input>,
      sent: (rank, peer, block) => {
        count(counts.sent, rank, block)
        if (peer === (rank + 1) % SIZE) {
          const room = MOST_KEPT - (kept[rank]?.length ?? 0)
          kept[rank]?.push(...block.subarray(0, Math.max(0, room)))
        } else count(counts.elsewhere, rank, block)
      },
      received: (rank, block) => {
        count(counts.received, rank, block)
      },
    })
    return {
      name: 'reduce-scatter',
      repeat,
      facts: { seed: own },
      input: {},
      execute: ranks.execute,
      find: () =>
        Promise.resolve({
          sent0: kept[0] ?? [],
          sent1: kept[1] ?? [],
          sent2: kept[2] ?? [],
          sent3: kept[3] ?? [],
          ...counts,
          got: RANKS.flatMap((rank) => blockIn(ranks.outputs()[rank], BLOCK)),
          waits: ranks.waits(),
        }),
    }
  }
  return Promise.resolve({
    plan: {},
    runs: runsOf(runOf),
  })
}
