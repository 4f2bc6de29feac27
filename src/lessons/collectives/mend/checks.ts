/** A reduce-scatter that goes on, is right, and has no rank carry more than its share, each block as the sum of where it has been. */
import { randomWord } from '../../../gpu/kernels/pcg'
import { onRanks, type Names } from '../../../exercises/names'
import { firstWrong, goesOn } from '../../../exercises/rank-rules'
import type { RunOf } from '../../../exercises/types'
import { linesOf } from '../../../exercises/trace-of-run'
import type { Trace } from '../../../trace/schema'
import type { ExerciseRules } from '../../../exercises/exercise'
import { checksOf, rulesFor, without } from '../../../exercises/rules'

export const SIZE = 4
export const RANKS = [0, 1, 2, 3] as const
/** Each rank has so many words; a block is a quarter. */
export const WORDS = 64
export const BLOCK = WORDS / SIZE
const LARGEST = 1000

/** By rank. */
export const buffersOf = (seed: number): readonly Float32Array[] =>
  RANKS.map((rank) =>
    Float32Array.from({ length: WORDS }, (_, index) => randomWord(index + rank * WORDS, seed) % LARGEST),
  )

/** The sum of one block over some ranks. */
const sumOf = (
  buffers: readonly Float32Array[],
  block: number,
  ranks: readonly number[],
): readonly number[] =>
  Array.from({ length: BLOCK }, (_, index) =>
    ranks.reduce((sum, rank) => sum + (buffers[rank]?.[block * BLOCK + index] ?? NaN), 0),
  )

/** By rank: its block of the sums. */
export const resultsOf = (seed: number): readonly (readonly number[])[] => {
  const buffers = buffersOf(seed)
  return RANKS.map((rank) => sumOf(buffers, rank, RANKS))
}

/** What each rank sends to the next one: block after block, the sum over the ranks that it has come from. It began at the rank behind its owner. */
export const sentOf = (seed: number): readonly (readonly number[])[] => {
  const buffers = buffersOf(seed)
  return RANKS.map((rank) =>
    Array.from({ length: SIZE - 1 }, (_, step) => {
      const block = (rank - step - 1 + SIZE) % SIZE
      const from = Array.from({ length: step + 1 }, (_each, back) => (rank - back + SIZE) % SIZE)
      return sumOf(buffers, block, from)
    }).flat(),
  )
}

/** What a run notes. */
export type Shards = {
  facts: { seed: number }
  found: Record<`sent${(typeof RANKS)[number]}`, ArrayLike<number>> & {
    /** By rank: numbers sent and received in all, and those sent to another rank than the next. */
    sent: readonly number[]
    received: readonly number[]
    elsewhere: readonly number[]
    /** What each rank returned. */
    got: ArrayLike<number>
    waits: readonly number[]
  }
}

/** What the program is given, a line each: prepare.ts makes it. */
export const input = {
  data: { says: 'This rank’s own numbers, a Float32Array: as many blocks as there are ranks.' },
} as const satisfies Names
export const scope = onRanks(input)

/** The first message that is not what its rank should have sent, in words; null where none is. */
export function wrongMessage(run: RunOf<Shards>, trace: Trace | null): string | null {
  const { facts, found } = run
  const inSend = linesOf(trace, run, 'send')
  const elsewhere = found.elsewhere.findIndex((count) => count > 0)
  if (elsewhere >= 0) return `Rank ${String(elsewhere)} sent to another rank than the next one${inSend}.`
  const all = sentOf(facts.seed)
  for (const rank of RANKS) {
    const [sent, expected, who] = [found[`sent${rank}`], all[rank] ?? [], `ank ${String(rank)}`]
    if (sent.length !== expected.length)
      return `R${who} sent ${String(sent.length)} numbers to the next rank${inSend}; ${String(SIZE - 1)} blocks are ${String(expected.length)}.`
    const wrong = firstWrong(sent, expected)
    if (wrong >= 0)
      return `Block ${String(Math.floor(wrong / BLOCK) + 1)} that r${who} sent${inSend} is not the sum over the ranks that it has come from.`
  }
  return null
}

const RUN = 'reduce-scatter'
const { runsOf, outputIs, everyRun } = rulesFor<Shards>(RUN)
const MOST = WORDS - BLOCK

function wrongSum({ facts, found: { got } }: RunOf<Shards>): string | null {
  const expected = resultsOf(facts.seed).flat()
  const wrong = firstWrong(got, expected)
  return wrong < 0
    ? null
    : `Number ${String(wrong % BLOCK)} of the block that rank ${String(Math.floor(wrong / BLOCK))} returned is ${String(got[wrong])}; the sum is ${String(expected[wrong])}.`
}

function tooMuch(run: RunOf<Shards>, trace: Trace | null): string | null {
  const { found } = run
  for (const [did, call] of [
    ['sent', 'send'],
    ['received', 'recv'],
  ] as const) {
    const rank = found[did].findIndex((count) => count > MOST)
    if (rank >= 0)
      return `Rank ${String(rank)} ${did} ${String(found[did][rank])} numbers${linesOf(trace, run, call)}; three quarters of its ${String(WORDS)} are ${String(MOST)}.`
  }
  // Of its numbers, those of the others' blocks are needed elsewhere, whichever way they go.
  const kept = found.sent.findIndex((count) => count < MOST)
  return kept < 0
    ? null
    : `Rank ${String(kept)} sent ${String(found.sent[kept])} numbers${linesOf(trace, run, 'send')}; the others need ${String(MOST)} of its own.`
}

export const rules: ExerciseRules = {
  figure: {
    words: 'of a buffer, sent or received by the busiest rank',
    unit: 'ratio',
    run: RUN,
    of: (report) => {
      const shares = runsOf(report).flatMap(({ found }) => [...found.sent, ...found.received])
      return shares.length > 0 ? Math.max(...shares) / WORDS : null
    },
  },
  checks: checksOf({
    'goes-on': goesOn(everyRun, 'All ranks'),
    output: outputIs(wrongSum, 'Each rank returned the sums of its block'),
    bytes: everyRun(
      tooMuch,
      () =>
        `Each rank sent ${String(MOST)} of the ${String(WORDS)} numbers of a buffer, and received no more.`,
    ),
    messages: everyRun(
      wrongMessage,
      () => 'Each rank sent three blocks to the next one, each the sum over the ranks that it had come from.',
    ),
  }),
}

/** As the last rung, whichever way the blocks go. */
export const firstRung = without(rules, 'messages')
