/** A step of the pipeline that goes on, is right, has no rank keep more than there are ranks, and is no longer than GPipe's. */
import { plain } from '../../../base/figures'
import type { MendFigure, ProgramReport } from '../../../exercises/types'
import type { MendRules } from '../../../exercises/mend'
import { firstWrong, goesOn } from '../../../exercises/rank-rules'
import type { RunOf } from '../../../exercises/run-facts'
import { checksOf, rulesFor } from '../../../exercises/rules'
import type { Trace } from '../../../trace/schema'
import { passLines, wrongMessage, wrongPass } from './judged'
import { COUNT, RANKS, SIZE, stepOf, WEIGHTS, type Step } from './stages'

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
): MendFigure & Pick<MendRules['figure'], 'of'> => ({
  words,
  unit: 'ratio',
  run: RUN,
  of: (report: ProgramReport) => {
    const shares = runsOf(report).map(share)
    return shares.length > 0 ? Math.max(...shares) : null
  },
})

export const rules: MendRules = {
  experiment: 'pipeline-bubble',
  language: 'javascript',
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

/** For a rung that is about it: of all ranks' time, by the order of their passes. */
export const idleFigure = figure('of a step, a rank waits by the count of slots', ({ found: { slots } }) =>
  slots > 0 ? 1 - COUNT / slots : Number.NaN,
)
