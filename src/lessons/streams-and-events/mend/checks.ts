/**
 * Eight results handed over, the first while later products run, with the device always queueAhead.
 */
import { median } from '../../../base/stats'
import {
  differs,
  firstWrong,
  roundingOf,
  cannotTell,
  checksOf,
  no,
  rulesFor,
  yes,
  type Ask,
} from '../../../exercises/rules'
import type { RunOf, ProgramReport } from '../../../exercises/types'
import { atLines, submissionsOf, submissionsWith, waitsOf } from '../../../exercises/trace-of-run'
import { ms, runTimesOf } from '../../../exercises/checks'
import type { ExerciseRules } from '../../../exercises/exercise'
import { queueAhead } from '../../../exercises/queue-ahead'

/** The lab finds this after a run. */
export type Results = {
  /** Products that are asked for, and those that were encoded. */
  count: number
  products: number
  encodedNs: readonly number[]
  /** The step of each hand-over, and its time in ns since the trace's origin. */
  handedSteps: readonly number[]
  handedNs: readonly number[]
  /** The numbers of each step's result, as they were handed over first. */
  words: ArrayLike<number>
}

/** Says in words what is wrong with what a run handed over; null: nothing is. */
function wrongResult({ found }: RunOf<Results>, labs: RunOf<Results>): string | null {
  const { count, handedSteps, words } = found
  for (let step = 0; step < count; step += 1) {
    const given = handedSteps.filter((each) => each === step).length
    if (given !== 1)
      return `Result ${String(step)} was handed over ${given === 0 ? 'not at all' : `${String(given)} times`}.`
  }
  const expected = labs.found.words
  const at = firstWrong(words, expected, roundingOf(expected))
  const width = expected.length / count
  return at < 0
    ? null
    : differs(
        `Number ${String(at % width)} of result ${String(Math.floor(at / width))}`,
        expected[at],
        'your program handed over',
        words[at],
      )
}

const RUN = 'results'
const { runsOf, outputIs, ranExactly } = rulesFor<Results>(RUN)
const MOST_TIME = 1.5

/**
 * Counts the runs that handed the first result over before the last product was reported; null:
 * none can be said.
 */
function earlyRuns(report: ProgramReport | null): { readonly early: number; readonly runs: number } | null {
  const [runs, trace] = [runsOf(report), report?.trace]
  if (!trace || runs.length === 0) return null
  const early = runs.filter((run) => {
    const last = submissionsWith(trace, run, run.found.encodedNs).at(-1)
    const isEarly = last && Math.min(...run.found.handedNs) < (last.completedNs ?? Infinity)
    return isEarly === true && submissionsOf(trace, run).length > 1
  })
  return { early: early.length, runs: runs.length }
}

/** Median time in ms until the first result was handed over. */
function firstMs(report: ProgramReport): number | null {
  const firsts = runsOf(report).flatMap(({ startNs, found: { handedNs } }) =>
    handedNs.length > 0 ? [(Math.min(...handedNs) - startNs) / 1e6] : [],
  )
  return firsts.length > 0 ? median(firsts) : null
}

const early: Ask = ({ yours, reference }) => {
  const [own, best] = [earlyRuns(yours), earlyRuns(reference)]
  if (!own) return cannotTell('Nothing was recorded.')
  const counted = `In ${String(own.early)} of ${String(own.runs)} runs the first result was handed over before the last matmul was reported done.`
  // Most runs, as times are medians: a busy browser reports several completions at once now and
  // then, to the lab's own mend too.
  if (2 * own.early > own.runs) return yes(counted)
  return best && 2 * best.early <= best.runs
    ? cannotTell(`${counted} Here the lab’s own fix did no better: reports come too rarely.`)
    : no(`${counted}${waitedAt(yours)}`)
}

/**
 * Names the line that waited for the last product before a first result was handed over; '' if no
 * line is known.
 */
function waitedAt(report: ProgramReport): string {
  const { trace } = report
  if (!trace) return ''
  const forAll = runsOf(report).flatMap((run) => {
    const last = submissionsWith(trace, run, run.found.encodedNs).at(-1)
    const firstNs = Math.min(...run.found.handedNs)
    return waitsOf(trace, run).filter(
      ({ submission, endNs }) => last !== undefined && submission >= last.id && endNs <= firstNs,
    )
  })
  // A map that ended with a wait for everything is not what the program waited for.
  const waits = forAll.filter(({ role }) => role === 'wait-done')
  const at = atLines(waits.length > 0 ? waits : forAll)
  return at === '' ? '' : ` Your program had waited for the last matmul${at}.`
}

const time: Ask = ({ yours, reference }) => {
  const [own, best] = [runTimesOf(yours, RUN), runTimesOf(reference, RUN)]
  if (!own || !best)
    return cannotTell('Your program was not timed: the program beside it did not run to its end.')
  const between = `The lab’s own fix took ${ms(best.medianMs)} for all; yours took ${ms(own.bestMs)}.`
  if (own.bestMs <= MOST_TIME * best.medianMs) return yes(between)
  return yours.isSoftware
    ? cannotTell(`${between} Here the processor plays the GPU too, so times do not decide.`)
    : no(`${between} At most ${ms(MOST_TIME * best.medianMs)} are allowed.`)
}

export const rules: ExerciseRules = {
  figure: { words: 'until the first result was handed over', unit: 'ms', run: RUN, of: firstMs },
  checks: checksOf({
    output: outputIs(wrongResult, 'All results were handed over and are right'),
    work: ranExactly('products', ({ count }) => count, ['Your program encoded', 'matmuls']),
    ahead: queueAhead<Results>(RUN, {
      encodedNs: ({ found }) => found.encodedNs,
      most: { dry: 0, lateShare: 1 },
      what: 'a matmul was submitted',
    }),
    early,
    time,
  }),
}
