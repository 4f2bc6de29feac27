/** All parts there, carried once, with at most one wait. */
import { grouped } from '../../../base/figures'
import { check, gradedRuns, timeCheck, runTimesOf } from '../../../mend/checks'
import type { MendRules } from '../../../mend/mend'
import { hostSpansOf, waitsOf, type RunSpan } from '../../../mend/trace-of-run'
import type { Check, ProgramReport, ProgramRun } from '../../../mend/types'
import { bitsAt, KEPT_WORDS, PART_BYTES, positionsOf } from './parts'

const RUN = 'uploads'
/** A tenth more than was asked for is no second time. */
const MOST_WORK = 1.1
const MOST_WAITS = 1

const partsOf = ({ facts }: ProgramRun): number => Number(facts['parts'])

/** The first part of which not every kept word is its own, in words; null where there is none. */
function missingPart(run: ProgramRun): string | null {
  const arrived = run.found['arrived']
  const [parts, seed] = [partsOf(run), Number(run.facts['seed'])]
  if (typeof arrived === 'number' || arrived?.length !== parts * KEPT_WORDS)
    return 'What arrived could not be read.'
  for (let part = 0; part < parts; part += 1) {
    const wrong = positionsOf(part).filter(
      (position, index) => arrived[part * KEPT_WORDS + index] !== bitsAt(position, seed),
    ).length
    if (wrong > 0)
      return `Part ${String(part)} did not arrive in its place: ${String(wrong)} of the ${String(KEPT_WORDS)} words of it that were looked at are not its own.`
  }
  return null
}

function output(yours: ProgramReport): Check {
  const runs = gradedRuns(yours, RUN)
  const wrong = runs.map(missingPart).find((each) => each !== null)
  if (wrong != null) return check('output', 'no', wrong)
  const parts = runs[0] ? partsOf(runs[0]) : 0
  return check(
    'output',
    'yes',
    `All ${String(parts)} parts arrived, in ${String(runs.length)} runs with fresh numbers.`,
  )
}

const sum = (spans: readonly RunSpan[]): number => spans.reduce((all, { bytes }) => all + bytes, 0)
const kib = (bytes: number): string => `${grouped(Math.round(bytes / 1024))} KiB`

function work(yours: ProgramReport): Check {
  const { trace } = yours
  if (!trace) return check('work', 'cannot-tell', 'Nothing was recorded.')
  let carried = 0
  for (const run of gradedRuns(yours, RUN)) {
    const asked = partsOf(run) * PART_BYTES
    carried = sum(hostSpansOf(trace, run, ['write', 'fill']))
    if (carried < asked || carried > MOST_WORK * asked)
      return check(
        'work',
        'no',
        `Your program wrote ${kib(carried)} for the GPU; ${kib(asked)} are asked for.`,
      )
  }
  return check('work', 'yes', `Each run wrote ${kib(carried)} for the GPU, as asked.`)
}

/** Waits that overlap are one: nothing is handed over in between, and the last one's end is what was waited for. */
function countSegments(waits: readonly RunSpan[]): number {
  let [count, until] = [0, -Infinity]
  for (const { startNs, endNs } of waits) {
    if (startNs > until) count += 1
    until = Math.max(until, endNs)
  }
  return count
}

function waits(yours: ProgramReport): Check {
  const { trace } = yours
  if (!trace) return check('waits', 'cannot-tell', 'Nothing was recorded.')
  const most = Math.max(0, ...gradedRuns(yours, RUN).map((run) => countSegments(waitsOf(trace, run))))
  const words = `Your program waited ${most === 1 ? 'once' : `${String(most)} times`} in a run`
  return most <= MOST_WAITS
    ? check('waits', 'yes', `${words}.`)
    : check('waits', 'no', `${words}; once is allowed.`)
}

export const rules: MendRules = {
  experiment: 'transfer-cost',
  language: 'javascript',
  figure: {
    words: 'until all parts were there',
    unit: 'ms',
    run: RUN,
    of: (report) => runTimesOf(report, RUN)?.medianMs ?? null,
  },
  checks: (evidence) => {
    const { yours } = evidence
    return [output(yours), work(yours), waits(yours), timeCheck(evidence, RUN)]
  },
}
