/**
 * A step of the pipeline that goes on, is right, has no rank keep more than there are ranks, and is
 * no longer than GPipe's.
 */
import type { RunOf, ExerciseFigure, ProgramReport } from '../../../exercises/types'
import { atLines, hostSpansOf, linesOf } from '../../../exercises/trace-of-run'
import type { Trace } from '../../../trace/schema'
import { plain } from '../../../base/figures'
import type { ExerciseRules } from '../../../exercises/exercise'
import { firstWrong, goesOn, checksOf, rulesFor, without } from '../../../exercises/rules'

export const SIZE = 4
export const COUNT = 8
export const ROWS = 2
export const WIDTH = 4
/** A micro-batch has so many words at every border between stages. */
export const WORDS = ROWS * WIDTH
/** A rank's gradient has as many numbers. */
const WEIGHTS = WIDTH * WIDTH

/** A pass of a rank as a number: which rank, which micro-batch, and the direction. */
export const passNumber = (rank: number, index: number, isBack: boolean): number =>
  2 * (rank * COUNT + index) + (isBack ? 1 : 0)

/** The lab finds this after a run. */
export type Step = {
  passes: readonly number[]
  /** Messages that each rank sends to the next one; `back` to the one before. */
  forward: readonly number[]
  back: readonly number[]
  /** Micro-batches whose activations each stage had at once. */
  kept: readonly number[]
  /**
   * Messages to the next rank and to the one before, one rank after the other, each in order of its
   * blocks' numbers.
   */
  messages: ArrayLike<number>
  /**
   * Slots, counted by experiments/pipeline-bubble/variants.ts: one is a micro-batch in a stage,
   * forward and back; -1 if a pass comes before what it needs.
   */
  slots: number
  /** One rank's gradient follows the other's. */
  gradients: ArrayLike<number>
  waits: readonly number[]
}

/** Names the lines that called a run's passes, as atLines() does: their spans are prepare.ts's. */
const passLines = (trace: Trace | null, run: RunOf<Step>, way: 'forward' | 'backward' | ''): string =>
  trace ? atLines(hostSpansOf(trace, run, ['compute']).filter(({ name }) => name.includes(way))) : ''

/** A micro-batch that did not go through a stage once each way, in words; null where all did. */
function wrongPass(run: RunOf<Step>, trace: Trace | null): string | null {
  for (let pass = 0; pass < 2 * COUNT * SIZE; pass += 1) {
    const times = run.found.passes.filter((each) => each === pass).length
    if (times === 1) continue
    const [isBack, index] = [pass % 2 === 1, Math.floor(pass / 2) % COUNT]
    return `On rank ${String(Math.floor(pass / 2 / COUNT))} micro-batch ${String(index)} ${isBack ? 'came back' : 'went forward'} ${times === 0 ? 'not at all' : `${String(times)} times`}${passLines(trace, run, isBack ? 'backward' : 'forward')}; it should be once.`
  }
  return null
}

/**
 * The first message that is of no micro-batch, in words; null where each was sent once, in whatever
 * order.
 */
function wrongMessage(run: RunOf<Step>, labs: RunOf<Step>, trace: Trace | null): string | null {
  const inSend = linesOf(trace, run, 'send')
  for (const way of ['forward', 'back'] as const) {
    const to = way === 'forward' ? 'to the next rank' : 'back'
    const rank = run.found[way].findIndex((count, at) => count !== labs.found[way][at])
    if (rank >= 0)
      return `Rank ${String(rank)} sent ${String(run.found[way][rank])} micro-batches ${to}${inSend}; there are ${String(labs.found[way][rank])}.`
  }
  return firstWrong(run.found.messages, labs.found.messages) < 0
    ? null
    : `Numbers that a rank sent${inSend} are not what its stage makes of a micro-batch.`
}

const RUN = 'step'
const { runsOf, outputIs, everyRun } = rulesFor<Step>(RUN)

/** GPipe takes a slot for each micro-batch, and one for each other rank. */
const MOST_SLOTS = COUNT + SIZE - 1

function wrongGradient({ found: { gradients } }: RunOf<Step>, labs: RunOf<Step>): string | null {
  const expected = labs.found.gradients
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
  if (slots < 0) return 'A rank computed a micro-batch before its input can have arrived.'
  return slots > MOST_SLOTS
    ? `In this order${passLines(trace, run, '')} a step takes ${plain(slots)} slots, and a rank waits for ${plain(slots - COUNT)} of them. GPipe takes ${String(MOST_SLOTS)}.`
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
    messages: outputIs(
      wrongMessage,
      `Each rank sent the ${String(COUNT)} results of its stage to the next one, and as many gradients back`,
    ),
    slots: everyRun(
      tooLong,
      ([run]) =>
        `In this order a step takes ${plain(run?.found.slots ?? Number.NaN)} slots, and with GPipe ${String(MOST_SLOTS)}: a slot is one micro-batch in one stage, forward and back.`,
    ),
    kept: everyRun(
      tooManyKept,
      ([run]) =>
        `By rank, the activations of ${run?.found.kept.join(', ') ?? ''} micro-batches were kept at most; ${String(SIZE)} are allowed.`,
    ),
  }),
}

/**
 * The same checks as the last rung, without the memory limit. The number is the idle time of all
 * ranks, by the order of their passes.
 */
export const firstRung: ExerciseRules = {
  ...without(rules, 'kept'),
  figure: figure('of a step, a rank waits by the count of slots', ({ found: { slots } }) =>
    slots > 0 ? 1 - COUNT / slots : Number.NaN,
  ),
}
