/** Two workers make batches ahead, at most two wait, and all of them are right and in order. */
import { differs, firstWrong, firstWrongPart, roundingOf, checksOf, rulesFor } from '../../../exercises/rules'
import type { ExerciseRules } from '../../../exercises/exercise'
import type { RunOf } from '../../../exercises/types'
import { atLines, submissionsOf, waitsOf } from '../../../exercises/trace-of-run'
import type { Trace } from '../../../trace/schema'

/**
 * The lab finds this after a run. Times are ns since the trace's origin, by step; Infinity if it
 * did not happen.
 */
export type Batches = {
  steps: number
  /** Each batch was made so often. */
  made: readonly number[]
  /** Times at which a batch was first asked of a worker, came, and had its use encoded. */
  askedNs: readonly number[]
  cameNs: readonly number[]
  usedNs: readonly number[]
  /** The product was encoded so often. */
  products: number
  /** GATHER_WORDS words of each batch, and the first entries of C. */
  arrived: ArrayLike<number>
  entries: ArrayLike<number>
}

/** So many batches may wait behind the one that is computed on. */
const MOST_WAITING = 2
const { outputIs, everyRun, everyTrace, ranExactly, halfTheTime, took } = rulesFor<Batches>('batches')

/** Says which arrived or computed words are wrong; null if none is. */
function wrongBatch({ found }: RunOf<Batches>, labs: RunOf<Batches>): string | null {
  const wrong = firstWrongPart(found.arrived, labs.found.arrived, found.steps)
  if (wrong)
    return `In step ${String(wrong.part)} the GPU did not have batch ${String(wrong.part)}: ${String(wrong.wrong)} of ${String(wrong.of)} words of it are not its own.`
  const expected = labs.found.entries
  const at = firstWrong(found.entries, expected, roundingOf(expected))
  const subject = `The batches arrived, but the layers’ result is wrong: entry (0, ${String(at)})`
  return at < 0 ? null : differs(subject, expected[at], 'the GPU has', found.entries[at])
}

/** The first batch that was not made once, in words. */
function notOnce({ found: { made } }: RunOf<Batches>): string | null {
  const step = made.findIndex((count) => count !== 1)
  if (step < 0) return null
  return `Batch ${String(step)} was made ${made[step] === 0 ? 'not at all' : `${String(made[step])} times`}.`
}

/** The submission of each step; undefined where there is none. */
const stepsIn = (trace: Trace, run: RunOf<Batches>) => {
  const submissions = submissionsOf(trace, run)
  return run.found.usedNs.map((usedNs) => submissions.find(({ startNs }) => startNs >= usedNs))
}

/**
 * `ahead` later batches are asked for before the first wait that follows a step's submission is
 * over. Whether a program asks before it submits or right after is its own affair.
 */
const tooLate =
  (ahead: number) =>
  (trace: Trace, run: RunOf<Batches>): string | null => {
    const waits = waitsOf(trace, run)
    for (const [step, submission] of stepsIn(trace, run).entries()) {
      const submitted = submission?.startNs ?? Infinity
      const waited = Math.min(...waits.map(({ endNs }) => endNs).filter((endNs) => endNs > submitted))
      const next = run.found.askedNs.slice(step + 1, step + 1 + ahead)
      const later = next.findIndex((asked) => !(asked < waited))
      if (later >= 0)
        return `When the loop waited after step ${String(step)} was submitted${atLines(submission ? [submission] : [])}, batch ${String(step + 1 + later)} had not been requested from a worker.`
    }
    return null
  }

function tooEarly(trace: Trace, run: RunOf<Batches>): string | null {
  const steps = stepsIn(trace, run)
  for (const [step, asked] of run.found.askedNs.entries()) {
    const before = step - MOST_WAITING - 1
    if (before >= 0 && asked < (steps[before]?.startNs ?? Infinity) && asked < Infinity)
      return `Batch ${String(step)} was asked for before step ${String(before)} was submitted: that is more than ${String(MOST_WAITING)} waiting.`
  }
  return null
}

/**
 * A step whose turn it is and whose batch is there is submitted before the loop hears of a later
 * batch: it needs nothing else. A wait for the device excuses it.
 */
function waitedForAnother(trace: Trace, run: RunOf<Batches>): string | null {
  const { cameNs } = run.found
  const waits = waitsOf(trace, run)
  const steps = stepsIn(trace, run)
  for (const [step, submission] of steps.entries()) {
    const submitted = submission?.startNs ?? -Infinity
    const turn = steps[step - 1]?.startNs ?? -Infinity
    const excuses = waits.filter(({ startNs }) => startNs < submitted)
    const free = Math.max(cameNs[step] ?? Infinity, turn, ...excuses.map(({ endNs }) => endNs))
    const later = cameNs.findIndex((came, at) => at > step && came > free && came < submitted)
    if (later >= 0)
      return `Step ${String(step)} had its batch and was submitted only when batch ${String(later)} had come too.`
  }
  return null
}

/** Makes the rules of a rung that asks for so many batches ahead. */
const rulesAhead = (ahead: 1 | 2): ExerciseRules => ({
  figure: took('for each batch, made and computed on', ({ found }) => found.steps),
  checks: checksOf({
    output: outputIs(
      wrongBatch,
      (run) => `All ${String(run?.found.steps)} batches arrived in order and the result is right`,
    ),
    once: everyRun(notOnce, () => 'Each batch was made once.'),
    work: ranExactly('products', ({ steps }) => steps, ['Your program encoded', 'matmuls']),
    ahead: everyTrace(
      tooLate(ahead),
      () =>
        `Whenever the loop waited after a step, ${ahead === 1 ? 'the next batch' : 'the next two batches'} had been requested from the workers.`,
    ),
    waiting: everyTrace(tooEarly, () => `At most ${String(MOST_WAITING)} batches waited behind the step.`),
    own: everyTrace(waitedForAnother, () => 'No step waited for any batch but its own.'),
    time: halfTheTime,
  }),
})

export const rules = rulesAhead(2)

/** The first rung asks for one batch ahead. */
export const firstRung = rulesAhead(1)
