/** What each rank did and sent, beside what it had to. */
import type { RunOf } from '../../../exercises/run-facts'
import { atLines, hostSpansOf, linesOf } from '../../../exercises/trace-of-run'
import type { Trace } from '../../../trace/schema'
import { COUNT, passNumber, RANKS, SIZE, stepOf, WORDS, type Step } from './stages'

/** Where a run's passes of these ways were called, as atLines() says it: their spans are prepare.ts's. */
export const passLines = (
  trace: Trace | null,
  run: RunOf<Step>,
  ...ways: readonly ('forward' | 'backward')[]
): string =>
  trace
    ? atLines(
        hostSpansOf(trace, run, ['compute']).filter(({ name }) => ways.some((way) => name.includes(way))),
      )
    : ''

/** A micro-batch that did not go through a stage once each way, in words; null where all did. */
export function wrongPass(run: RunOf<Step>, trace: Trace | null): string | null {
  const { found } = run
  for (const rank of RANKS) {
    const passes = Array.from(found[`passes${rank}`])
    for (let index = 0; index < COUNT; index += 1)
      for (const isBack of [false, true]) {
        const times = passes.filter((pass) => pass === passNumber(index, isBack)).length
        if (times !== 1)
          return `On rank ${String(rank)} micro-batch ${String(index)} ${isBack ? 'came back' : 'went forward'} ${times === 0 ? 'not at all' : `${String(times)} times`}${passLines(trace, run, isBack ? 'backward' : 'forward')}; it should be once.`
      }
  }
  return null
}

const blocksIn = (numbers: ArrayLike<number>): readonly string[] =>
  Array.from({ length: Math.ceil(numbers.length / WORDS) }, (_, at) =>
    Array.from(numbers)
      .slice(at * WORDS, (at + 1) * WORDS)
      .join(' '),
  )

/** The first message that is of no micro-batch, in words; null where each was sent once, in whatever order. */
export function wrongMessage(run: RunOf<Step>, trace: Trace | null): string | null {
  const { facts, found } = run
  const inSend = linesOf(trace, run, 'send')
  const elsewhere = found.elsewhere.findIndex((count) => count > 0)
  if (elsewhere >= 0)
    return `Rank ${String(elsewhere)} sent to a rank that is neither the next nor the one before${inSend}.`
  const step = stepOf(facts.seed)
  for (const rank of RANKS)
    for (const way of ['forward', 'back'] as const) {
      const hasPeer = way === 'forward' ? rank < SIZE - 1 : rank > 0
      if (!hasPeer) continue
      const sent = blocksIn(found[`${way}${rank}`])
      const [who, to] = [`Rank ${String(rank)}`, way === 'forward' ? 'to the next rank' : 'back']
      if (sent.length !== COUNT)
        return `${who} sent ${String(sent.length)} micro-batches ${to}${inSend}; there are ${String(COUNT)}.`
      const left = (step[way][rank] ?? []).map((block) => [...block].join(' '))
      for (const [at, block] of sent.entries()) {
        const place = left.indexOf(block)
        if (place < 0)
          return `Message ${String(at + 1)} that ${who.toLowerCase()} sent ${to}${inSend} is not what its stage makes of a micro-batch.`
        left.splice(place, 1)
      }
    }
  return null
}
