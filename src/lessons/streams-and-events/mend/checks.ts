/** Eight results handed over, the first while later products run, with the device always supplied. */
import { ms, runTimesOf } from '../../../exercises/checks'
import type { MendRules } from '../../../exercises/mend'
import { cannotTell, checksOf, no, rulesFor, yes, type Ask } from '../../../exercises/rules'
import { supplied } from '../../../exercises/supplied'
import { atLines, submissionsWith, waitsOf } from '../../../exercises/trace-of-run'
import type { ProgramReport } from '../../../exercises/types'
import { earlyRuns, firstMs, RUN, wrongResult, type Results } from './results'

const { runsOf, outputIs, ranExactly } = rulesFor<Results>(RUN)
const MOST_TIME = 1.5

const early: Ask = ({ yours, reference }) => {
  const [own, best] = [earlyRuns(yours), earlyRuns(reference)]
  if (!own) return cannotTell('Nothing was recorded.')
  const counted = `In ${String(own.early)} of ${String(own.runs)} runs the first result was handed over before the last product was reported done.`
  // Most runs, as times are medians: a busy browser reports several completions at once now and then, to the lab's own mend too.
  if (2 * own.early > own.runs) return yes(counted)
  return best && 2 * best.early <= best.runs
    ? cannotTell(`${counted} Here the lab’s own mend did no better: reports come too seldom.`)
    : no(`${counted}${waitedAt(yours)}`)
}

/** Where it waited for the last product before it handed over a first result; '' where no line is known. */
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
  // Where there is a wait for everything, a map that ended with it is not what it waited for.
  const waits = forAll.filter(({ role }) => role === 'wait-done')
  const at = atLines(waits.length > 0 ? waits : forAll)
  return at === '' ? '' : ` Your program had waited for the last product${at}.`
}

const time: Ask = ({ yours, reference }) => {
  const [own, best] = [runTimesOf(yours, RUN), runTimesOf(reference, RUN)]
  if (!own || !best)
    return cannotTell('Your program was not timed: the program beside it did not run to its end.')
  const between = `The lab’s own mend took ${ms(best.medianMs)} for all; yours took ${ms(own.bestMs)}.`
  if (own.bestMs <= MOST_TIME * best.medianMs) return yes(between)
  return yours.isSoftware
    ? cannotTell(`${between} Here the processor plays the GPU too, so times do not decide.`)
    : no(`${between} At most ${ms(MOST_TIME * best.medianMs)} are allowed.`)
}

export const rules: MendRules = {
  experiment: 'streams-and-events',
  language: 'javascript',
  figure: { words: 'until the first result was handed over', unit: 'ms', run: RUN, of: firstMs },
  checks: checksOf({
    output: outputIs(wrongResult, 'All results were handed over and are right'),
    work: ranExactly(
      ({ facts, found }) => found.encodedTimes.reduce((sum, each) => sum + each, 0) / facts.times,
      ({ facts }) => facts.rows.length,
      (count) => `Your program encoded ${count} products`,
    ),
    ahead: supplied<Results>(RUN, {
      encodedNs: ({ found }) => found.encodedNs,
      most: { dry: 0, lateShare: 1 },
      what: 'a product was submitted',
    }),
    early,
    time,
  }),
}
