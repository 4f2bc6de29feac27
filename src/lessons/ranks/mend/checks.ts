/** An exchange that goes on, with each block over the wire once in each round. */
import { randomWord } from '../../../gpu/kernels/pcg'
import { onRanks, type Names } from '../../../exercises/names'
import { grouped } from '../../../base/figures'
import type { ExerciseRules } from '../../../exercises/exercise'
import { firstWrong, goesOn } from '../../../exercises/rank-rules'
import type { RunOf } from '../../../exercises/types'
import { checksOf, rulesFor } from '../../../exercises/rules'
import { linesOf } from '../../../exercises/trace-of-run'
import type { Trace } from '../../../trace/schema'

export const ROUNDS = 4
export const WORDS = 64
export const RANKS = [0, 1] as const
/** Times 3 in each round at most: below 2^24 for the 4 rounds. */
const LARGEST = 1000

/** By round: the blocks of both ranks as they stand before it; last, the results. */
export function blocksOf(seed: number): readonly (readonly Float32Array[])[] {
  let blocks = RANKS.map((rank) =>
    Float32Array.from({ length: WORDS }, (_, index) => randomWord(index + rank * WORDS, seed) % LARGEST),
  )
  const all = [blocks]
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = blocks
    blocks = RANKS.map((rank) =>
      (before[rank] ?? new Float32Array()).map((own, index) => 2 * own + (before[1 - rank]?.[index] ?? NaN)),
    )
    all.push(blocks)
  }
  return all
}

/** What a run notes. */
export type Exchange = {
  facts: { seed: number }
  found: {
    /** What each rank sent, number after number: a block may go over the wire in parts. */
    sent0: ArrayLike<number>
    sent1: ArrayLike<number>
    /** By rank: blocks. */
    received: readonly number[]
    /** What rank 0 returned, then rank 1. */
    got: ArrayLike<number>
    waits: readonly number[]
  }
}

/** What the program is given, a line each: prepare.ts makes it. */
export const input = {
  rounds: { says: 'How often the ranks exchange their blocks.' },
  block: { says: 'This rank’s own numbers, a Float32Array.' },
} as const satisfies Names
export const scope = onRanks(input)

const { outputIs, everyRun, halfTheTime, took } = rulesFor<Exchange>('exchange')

function wrongBlock({ facts, found: { got } }: RunOf<Exchange>): string | null {
  const expected = (blocksOf(facts.seed).at(-1) ?? []).flatMap((block) => [...block])
  const wrong = firstWrong(got, expected)
  return wrong < 0
    ? null
    : `Number ${String(wrong % WORDS)} of rank ${String(Math.floor(wrong / WORDS))} is ${String(got[wrong])}; it should be ${String(expected[wrong])}.`
}

function wrongMessage(run: RunOf<Exchange>, trace: Trace | null): string | null {
  const { facts, found } = run
  const { sent0, sent1, received } = found
  const inSend = linesOf(trace, run, 'send')
  const rounds = blocksOf(facts.seed).slice(0, ROUNDS)
  for (const rank of RANKS) {
    const sent = [sent0, sent1][rank] ?? []
    const expected = rounds.flatMap((blocks) => [...(blocks[rank] ?? [])])
    const who = `Rank ${String(rank)}`
    if (sent.length !== expected.length || received[rank] !== ROUNDS)
      return `${who} sent ${grouped(sent.length / WORDS, 3)} blocks and received ${grouped(received[rank] ?? 0, 3)}${linesOf(trace, run, 'send', 'recv')}; it should be ${String(ROUNDS)} each.`
    const wrong = firstWrong(sent, expected)
    if (wrong >= 0)
      return `${who} sent another block than its own in round ${String(Math.floor(wrong / WORDS))}${inSend}.`
  }
  return null
}

export const rules: ExerciseRules = {
  figure: took('until both ranks had ended, or were found to hang'),
  checks: checksOf({
    'goes-on': goesOn(everyRun, 'Both ranks'),
    output: outputIs(wrongBlock, 'Both ranks returned the right block'),
    messages: everyRun(
      wrongMessage,
      () => 'Each rank sent its block and received the other one’s, once in each round.',
    ),
    time: halfTheTime,
  }),
}

export const firstRung = rules
