/** What went over the wire, beside what each rank had to send. */
import { firstWrong } from '../../../exercises/rank-rules'
import type { RunOf } from '../../../exercises/run-facts'
import { linesOf } from '../../../exercises/trace-of-run'
import type { Trace } from '../../../trace/schema'
import { BLOCK, RANKS, sentOf, SIZE, type Shards } from './shards'

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
