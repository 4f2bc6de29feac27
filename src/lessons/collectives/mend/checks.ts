/**
 * A reduce-scatter that goes on, is right, and has no rank carry more than its share, each block as
 * the sum of where it has been.
 */
import { firstWrong, goesOn, checksOf, rulesFor, without } from '../../../exercises/rules'
import type { RunOf } from '../../../exercises/types'
import { linesOf } from '../../../exercises/trace-of-run'
import type { Trace } from '../../../trace/schema'
import type { ExerciseRules } from '../../../exercises/exercise'

export const SIZE = 4
/** Each rank has so many words; a block is a quarter. */
export const WORDS = 64
export const BLOCK = WORDS / SIZE
/** Numbers that a rank has to send: all but those of its own block. */
const MOST = WORDS - BLOCK

/** The lab finds this after a run, by rank if nothing else is said. */
export type Shards = {
  /** Numbers sent and received in all, and those sent to the next rank. */
  sent: readonly number[]
  received: readonly number[]
  toNext: readonly number[]
  /** All that was sent to next ranks, rank after rank, and all that was returned. */
  words: ArrayLike<number>
  got: ArrayLike<number>
  waits: readonly number[]
}

/** The first message that is not what its rank should have sent, in words; null where none is. */
function wrongMessage(run: RunOf<Shards>, labs: RunOf<Shards>, trace: Trace | null): string | null {
  const { toNext, words } = run.found
  const inSend = linesOf(trace, run, 'send')
  const rank = toNext.findIndex((count) => count !== MOST)
  if (rank >= 0)
    return `Rank ${String(rank)} sent ${String(toNext[rank])} numbers to the next rank${inSend}; ${String(SIZE - 1)} blocks are ${String(MOST)}.`
  const wrong = firstWrong(words, labs.found.words)
  return wrong < 0
    ? null
    : `Block ${String(Math.floor((wrong % MOST) / BLOCK) + 1)} that rank ${String(Math.floor(wrong / MOST))} sent${inSend} is not the sum over the ranks that it has come from.`
}

const RUN = 'reduce-scatter'
const { runsOf, outputIs, everyRun } = rulesFor<Shards>(RUN)

function wrongSum({ found: { got } }: RunOf<Shards>, labs: RunOf<Shards>): string | null {
  const expected = labs.found.got
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
  // A rank's numbers of the others' blocks are needed elsewhere, whichever way they go.
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
    messages: outputIs(
      wrongMessage,
      'Each rank sent three blocks to the next, each the sum over the ranks that it had come from',
    ),
  }),
}

/** The same checks as the last rung, whichever way the blocks go. */
export const firstRung = without(rules, 'messages')
