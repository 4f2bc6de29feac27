/** Eight results handed over, the first while later products run, with the device always supplied. */
import { fillValue } from '../../../kernels/data/fill'
import { referenceEntry, tolerance } from '../../../kernels/matmul/reference'
import { median } from '../../../base/stats'
import { check, gradedRuns, ms, runTimesOf } from '../../../mend/checks'
import type { MendRules } from '../../../mend/mend'
import { submissionsOf, submissionsWith, waitsOf } from '../../../mend/trace-of-run'
import type { Check, Evidence, ProgramReport, ProgramRun } from '../../../mend/types'

const RUN = 'results'

const listOf = ({ found }: ProgramRun, name: string): readonly number[] =>
  Array.from((found[name] ?? []) as ArrayLike<number>) // as prepare.ts wrote it
const rowsOf = ({ facts }: ProgramRun): readonly number[] => facts['rows'] as readonly number[] // likewise

/** What is wrong with what a run handed over, in words; null where nothing is. */
function wrongResult(run: ProgramRun): string | null {
  const of = (name: string): number => Number(run.facts[name])
  const [n, times, seedA, seedB] = [of('n'), of('times'), of('seedA'), of('seedB')]
  const steps = listOf(run, 'handedSteps')
  const words = listOf(run, 'words')
  for (const [step, row] of rowsOf(run).entries()) {
    const given = steps.filter((each) => each === step).length
    if (given !== 1)
      return `Result ${String(step)} was handed over ${given === 0 ? 'not at all' : `${String(given)} times`}.`
    const width = words.length / steps.length
    for (let column = 0; column < width; column += 1) {
      const { value, scale } = referenceEntry(
        row,
        column,
        n,
        (i, k) => fillValue(i * n + k, seedA),
        (k, j) => fillValue(k * n + j, seedB),
      )
      const got = words[steps.indexOf(step) * width + column] ?? Number.NaN
      if (!(Math.abs(got - times * value) <= tolerance(n, times) * times * scale))
        return `Number ${String(column)} of result ${String(step)} is ${got.toPrecision(6)}; it should be ${(times * value).toPrecision(6)}.`
    }
  }
  return null
}

function output(yours: ProgramReport): Check {
  const runs = gradedRuns(yours, RUN)
  const wrong = runs.map(wrongResult).find((each) => each !== null)
  return wrong == null
    ? check(
        'output',
        'yes',
        `All results were handed over and are right, in ${String(runs.length)} runs with fresh numbers.`,
      )
    : check('output', 'no', wrong)
}

const MOST_WORK = 1.1

function work(yours: ProgramReport): Check {
  for (const run of gradedRuns(yours, RUN)) {
    const encoded = listOf(run, 'encodedTimes').reduce((sum, each) => sum + each, 0)
    const asked = rowsOf(run).length * Number(run.facts['times'])
    if (encoded < asked || encoded > MOST_WORK * asked)
      return check(
        'work',
        'no',
        `Your program encoded ${(encoded / Number(run.facts['times'])).toFixed(1)} products; ${String(rowsOf(run).length)} are asked for.`,
      )
  }
  return check('work', 'yes', 'Each product was encoded once.')
}

/** Waits after which the device had nothing more to do, though products were still to be submitted. */
function dryWaits(yours: ProgramReport, run: ProgramRun): number {
  const { trace } = yours
  if (!trace) return 0
  const products = submissionsWith(trace, run, listOf(run, 'encodedNs'))
  return waitsOf(trace, run).filter(({ startNs, endNs, submission }) => {
    const later = products.filter((product) => product.id > submission)
    const isLast = products.every((product) => product.startNs <= startNs)
    return submission >= 0 && !isLast && !later.some((product) => product.startNs <= endNs)
  }).length
}

function ahead(yours: ProgramReport): Check {
  if (!yours.trace) return check('ahead', 'cannot-tell', 'Nothing was recorded.')
  const dry = Math.max(0, ...gradedRuns(yours, RUN).map((run) => dryWaits(yours, run)))
  return dry === 0
    ? check(
        'ahead',
        'yes',
        'Whenever your program waited for a result, the GPU had its next product already.',
      )
    : check(
        'ahead',
        'no',
        `In a run your program waited ${String(dry)} times for all that it had submitted, with products still to come: the GPU had nothing to do until the next.`,
      )
}

/** In how many runs the first result was handed over before the last product was reported; null where none can be said. */
function earlyRuns(report: ProgramReport | null): { readonly early: number; readonly runs: number } | null {
  const runs = report ? gradedRuns(report, RUN) : []
  const { trace } = report ?? {}
  if (!trace || runs.length === 0) return null
  const early = runs.filter((run) => {
    const last = submissionsWith(trace, run, listOf(run, 'encodedNs')).at(-1)
    const firstNs = Math.min(...listOf(run, 'handedNs'))
    return (
      last !== undefined && firstNs < (last.completedNs ?? Infinity) && submissionsOf(trace, run).length > 1
    )
  })
  return { early: early.length, runs: runs.length }
}

function early({ yours, reference }: Evidence): Check {
  const own = earlyRuns(yours)
  if (!own) return check('early', 'cannot-tell', 'Nothing was recorded.')
  const counted = `In ${String(own.early)} of ${String(own.runs)} runs the first result was handed over before the last product was reported done.`
  if (own.early === own.runs) return check('early', 'yes', counted)
  const best = earlyRuns(reference)
  return best && best.early < best.runs
    ? check(
        'early',
        'cannot-tell',
        `${counted} Here the lab’s own mend did no better in each run: reports come too seldom.`,
      )
    : check('early', 'no', counted)
}

const MOST_TIME = 1.5

function time({ yours, reference }: Evidence): Check {
  const [own, best] = [runTimesOf(yours, RUN), runTimesOf(reference, RUN)]
  if (!own || !best)
    return check(
      'time',
      'cannot-tell',
      'Your program was not timed: the program beside it did not run to its end.',
    )
  const between = `The lab’s own mend took ${ms(best.medianMs)} for all; yours took ${ms(own.bestMs)}.`
  if (own.bestMs <= MOST_TIME * best.medianMs) return check('time', 'yes', between)
  return yours.isSoftware
    ? check('time', 'cannot-tell', `${between} Here the processor plays the GPU too, so times do not decide.`)
    : check('time', 'no', `${between} At most ${ms(MOST_TIME * best.medianMs)} are allowed.`)
}

function firstMs(report: ProgramReport): number | null {
  const firsts = gradedRuns(report, RUN).flatMap((run) => {
    const handed = listOf(run, 'handedNs')
    return handed.length > 0 ? [(Math.min(...handed) - run.startNs) / 1e6] : []
  })
  return firsts.length > 0 ? median(firsts) : null
}

export const rules: MendRules = {
  experiment: 'streams-and-events',
  language: 'javascript',
  figure: { words: 'until the first result was handed over', unit: 'ms', run: RUN, of: firstMs },
  checks: (evidence) => {
    const { yours } = evidence
    return [output(yours), work(yours), ahead(yours), early(evidence), time(evidence)]
  },
}
