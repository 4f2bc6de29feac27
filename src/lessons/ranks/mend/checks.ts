/** An exchange that goes on, with each block over the wire once in each round. */
import { grouped } from '../../../base/figures'
import type { ExerciseRules } from '../../../exercises/exercise'
import { firstWrong, goesOn, checksOf, rulesFor } from '../../../exercises/rules'
import type { RunOf } from '../../../exercises/types'
import { linesOf } from '../../../exercises/trace-of-run'
import type { Trace } from '../../../trace/schema'

export const ROUNDS = 4
export const WORDS = 64
export const RANKS = [0, 1] as const
/** The lab finds this after a run. */
export type Exchange = {
  /** Words that each rank sent, rank after rank: a block may go over the wire in parts. */
  sent: ArrayLike<number>
  /** Blocks that each rank sent. */
  sentBlocks: readonly number[]
  received: readonly number[]
  /** The results of rank 0, then those of rank 1. */
  got: ArrayLike<number>
  waits: readonly number[]
}

const { outputIs, everyRun, halfTheTime, took } = rulesFor<Exchange>('exchange')

function wrongBlock({ found: { got } }: RunOf<Exchange>, labs: RunOf<Exchange>): string | null {
  const wrong = firstWrong(got, labs.found.got)
  return wrong < 0
    ? null
    : `Number ${String(wrong % WORDS)} of rank ${String(Math.floor(wrong / WORDS))} is ${String(got[wrong])}; it should be ${String(labs.found.got[wrong])}.`
}

function wrongMessage(run: RunOf<Exchange>, labs: RunOf<Exchange>, trace: Trace | null): string | null {
  const { sent, sentBlocks, received } = run.found
  const rank = RANKS.find((each) => sentBlocks[each] !== ROUNDS || received[each] !== ROUNDS)
  if (rank !== undefined)
    return `Rank ${String(rank)} sent ${grouped(sentBlocks[rank] ?? 0, 3)} blocks and received ${grouped(received[rank] ?? 0, 3)}${linesOf(trace, run, 'send', 'recv')}; it should be ${String(ROUNDS)} each.`
  const wrong = firstWrong(sent, labs.found.sent)
  const block = Math.floor(wrong / WORDS)
  return wrong < 0
    ? null
    : `Rank ${String(Math.floor(block / ROUNDS))} sent a block other than its own in round ${String(block % ROUNDS)}${linesOf(trace, run, 'send')}.`
}

export const rules: ExerciseRules = {
  figure: took('until both ranks ended, or were found to hang'),
  checks: checksOf({
    'goes-on': goesOn(everyRun, 'Both ranks'),
    output: outputIs(wrongBlock, 'Both ranks returned the right block'),
    messages: outputIs(wrongMessage, 'Each rank sent its block and received the other’s, once in each round'),
    time: halfTheTime,
  }),
}
