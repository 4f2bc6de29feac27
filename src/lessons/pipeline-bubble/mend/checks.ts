/** A step of the pipeline that goes on, is right, has no rank keep more than there are ranks, and is no longer than GPipe's. */
import { onRanks, type Names } from '../../../exercises/names'
import type { RunOf } from '../../../exercises/types'
import { atLines, hostSpansOf, linesOf } from '../../../exercises/trace-of-run'
import type { Trace } from '../../../trace/schema'
import { COUNT, passNumber, RANKS, SIZE, stepOf, WEIGHTS, WORDS, type Step } from './stages'
import { plain } from '../../../base/figures'
import type { ExerciseFigure, ProgramReport } from '../../../exercises/types'
import type { ExerciseRules } from '../../../exercises/exercise'
import { firstWrong, goesOn } from '../../../exercises/rank-rules'
import { checksOf, rulesFor, without } from '../../../exercises/rules'

/** What the program is given, a line each: prepare.ts makes it. */
export const input = {
  count: { says: 'Into how many micro-batches the batch is cut.' },
  words: { says: 'How many numbers a micro-batch has wherever it crosses from one rank to the next.' },
  batch: { says: 'The micro-batches, a Float32Array each: what rank 0 begins with. Other ranks have none.' },
  forward: {
    takes: '(index, x)',
    says: 'This rank’s stage on a micro-batch. It gives y, and keeps the activations until backward() of the same index.',
  },
  backward: {
    takes: '(index, dy)',
    says: 'The way back: adds to the gradients, releases the activations, and gives dx. The last rank has the loss, and needs no dy.',
  },
} as const satisfies Names
export const scope = onRanks(input)

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

const RUN = 'step'
const { runsOf, outputIs, everyRun } = rulesFor<Step>(RUN)

/** GPipe's: one for each micro-batch, and one for each other rank. */
export const MOST_SLOTS = COUNT + SIZE - 1

function wrongGradient({ facts, found: { gradients } }: RunOf<Step>): string | null {
  const expected = stepOf(facts.seed).gradients.flatMap((own) => [...own])
  const wrong = firstWrong(gradients, expected)
  return wrong < 0
    ? null
    : `The gradient of weight ${String(wrong % WEIGHTS)} on rank ${String(Math.floor(wrong / WEIGHTS))} is ${String(gradients[wrong])}; over the whole batch it is ${String(expected[wrong])}.`
}

const mostKept = ({ found: { kept } }: RunOf<Step>): number => Math.max(...kept)

function tooManyKept(run: RunOf<Step>, trace: Trace | null): string | null {
  const { kept } = run.found
  const rank = kept.findIndex((count) => count > SIZE)
  return rank < 0
    ? null
    : `Rank ${String(rank)} kept the activations of ${String(kept[rank])} micro-batches at once${passLines(trace, run, 'forward')}; at most ${String(SIZE)} are allowed.`
}

function tooLong(run: RunOf<Step>, trace: Trace | null): string | null {
  const { slots } = run.found
  if (slots < 0) return 'A rank computed a micro-batch before what that needs can have come to it.'
  return slots > MOST_SLOTS
    ? `In this order${passLines(trace, run, 'forward', 'backward')} a step takes ${plain(slots)} slots, and a rank waits for ${plain(slots - COUNT)} of them. GPipe takes ${String(MOST_SLOTS)}.`
    : null
}

/** The most of all runs, since each is as the others. */
const figure = (
  words: string,
  share: (run: RunOf<Step>) => number,
): ExerciseFigure & Pick<ExerciseRules['figure'], 'of'> => ({
  words,
  unit: 'ratio',
  run: RUN,
  of: (report: ProgramReport) => {
    const shares = runsOf(report).map(share)
    return shares.length > 0 ? Math.max(...shares) : null
  },
})

export const rules: ExerciseRules = {
  figure: figure('of the batch, kept by the rank that keeps most', (run) => mostKept(run) / COUNT),
  checks: checksOf({
    'goes-on': goesOn(everyRun, 'All ranks'),
    output: outputIs(wrongGradient, 'The gradients of all stages are those of the whole batch'),
    work: everyRun(wrongPass, () => 'Each micro-batch went through each stage once, forward and back.'),
    messages: everyRun(
      wrongMessage,
      () =>
        `Each rank sent the ${String(COUNT)} results of its stage to the next one, and as many gradients back.`,
    ),
    slots: everyRun(
      tooLong,
      ([run]) =>
        `In this order a step takes ${plain(run?.found.slots ?? Number.NaN)} slots, and with GPipe ${String(MOST_SLOTS)}: a slot is one micro-batch in one stage, forward and back.`,
    ),
    kept: everyRun(
      tooManyKept,
      ([run]) =>
        `By rank, the activations of ${RANKS.map((rank) => String(run?.found.kept[rank])).join(', ')} micro-batches were kept at most; ${String(SIZE)} are allowed.`,
    ),
  }),
}

/** As the last rung, whatever a rank keeps; its number is the idle time of all ranks, by the order of their passes. */
export const firstRung: ExerciseRules = {
  ...without(rules, 'kept'),
  figure: figure('of a step, a rank waits by the count of slots', ({ found: { slots } }) =>
    slots > 0 ? 1 - COUNT / slots : Number.NaN,
  ),
}
