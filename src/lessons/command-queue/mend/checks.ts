/** The same kernels in the same order, handed over by at most two submits. */
import { grouped } from '../../../base/figures'
import { check, gradedRuns, timeCheck, runTimesOf } from '../../../mend/checks'
import type { MendRules } from '../../../mend/mend'
import { submissionsOf } from '../../../mend/trace-of-run'
import type { Check, ProgramReport, ProgramRun } from '../../../mend/types'
import { expectedWords, KERNELS, WORDS } from './kernels'

const RUN = 'clean'
const MOST_SUBMITS = 2
const MOST_WORK = 1.1

/** The first word that is wrong, in words; null where none is. */
function wrongWord({ facts, found }: ProgramRun): string | null {
  const got = found['words']
  const expected = expectedWords(Number(facts['seed']))
  if (typeof got === 'number' || got?.length !== WORDS) return 'The result could not be read.'
  const at = expected.findIndex((word, index) => got[index] !== word)
  return at < 0
    ? null
    : `Word ${String(at)} of the result is ${String(got[at])}; after all kernels in their order it is ${String(expected[at])}.`
}

function output(yours: ProgramReport): Check {
  const runs = gradedRuns(yours, RUN)
  const wrong = runs.map(wrongWord).find((each) => each !== null)
  return wrong == null
    ? check(
        'output',
        'yes',
        `The result is right, in ${String(runs.length)} runs with fresh numbers: all ran, in order.`,
      )
    : check('output', 'no', wrong)
}

function work(yours: ProgramReport): Check {
  const ran = gradedRuns(yours, RUN).map(({ found }) => Number(found['kernelsRun']))
  const wrong = ran.find((kernels) => kernels < KERNELS || kernels > MOST_WORK * KERNELS)
  return wrong === undefined
    ? check('work', 'yes', `The GPU ran ${grouped(KERNELS)} kernels, as asked.`)
    : check('work', 'no', `The GPU ran ${grouped(wrong)} kernels; ${grouped(KERNELS)} are asked for.`)
}

function submits(yours: ProgramReport): Check {
  const { trace } = yours
  if (!trace) return check('submits', 'cannot-tell', 'Nothing was recorded.')
  const most = Math.max(0, ...gradedRuns(yours, RUN).map((run) => submissionsOf(trace, run).length))
  const words = `Your program called submit() ${most === 1 ? 'once' : `${grouped(most)} times`} in a run`
  return most <= MOST_SUBMITS
    ? check('submits', 'yes', `${words}.`)
    : check('submits', 'no', `${words}; at most ${String(MOST_SUBMITS)} are allowed.`)
}

export const rules: MendRules = {
  experiment: 'command-queue',
  language: 'javascript',
  figure: {
    words: `for ${grouped(KERNELS)} small kernels, until the host knew that they had ended`,
    unit: 'ms',
    run: RUN,
    of: (report) => runTimesOf(report, RUN)?.medianMs ?? null,
  },
  checks: (evidence) => {
    const { yours } = evidence
    return [output(yours), work(yours), submits(yours), timeCheck(evidence, RUN)]
  },
}
