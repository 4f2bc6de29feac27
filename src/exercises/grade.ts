/**
 * A learner's program beside the one it began as and the lab's own mend: three workers, one after
 * the other, then the checks.
 */
import { CancelledError, FaultError } from '../base/fault'
import { webLocks, measuringLock } from '../lab/measuring-lock'
import type { Environment } from '../trace/report'
import { runProgram, type RunListener } from './client'
import { gradeOf } from './checks'
import { allChecksOf, type Exercise } from './exercise'
import { explainStop } from './mistakes'
import { answerLines } from './program'
import type { Evidence, Graded, ProgramReport, Stop } from './types'

const drawn = (): number => crypto.getRandomValues(new Uint32Array(1))[0] ?? 1

export interface GradeOptions extends RunListener {
  /** The machine that it runs on. */
  readonly environment: Environment
  /** On a modelled machine: no device is opened, and what comes of it is no measurement. */
  readonly isModelled?: boolean
  /**
   * The two beside it are taken from this grading of the same lesson, with its plan and seed, and
   * not run again: for tests that grade many programs. Never for a learner, whose times would be
   * held against those of minutes ago.
   */
  readonly beside?: Pick<Graded, 'evidence' | 'seed'>
}

/**
 * A run that ended for a reason that is not the program's says nothing of the program. @throws
 * CancelledError, FaultError
 */
function expectOwnEnd({ stop }: ProgramReport): void {
  if (stop?.reason === 'cancelled') throw new CancelledError()
  if (stop?.reason === 'lab') throw notGraded(stop)
  if (stop?.reason === 'hidden')
    throw new FaultError({
      code: 'hidden',
      message: stop.text,
      hint: 'Nothing was graded. Run again, and keep this tab in view until the grade is there.',
    })
}

const notGraded = ({ text }: Stop, whose = ''): FaultError =>
  new FaultError({
    code: 'timeout',
    message: `${whose}${text}`,
    hint: 'Nothing was graded. Run again; if it stays so, reload the page.',
  })

/**
 * Grades `source` as a mend, once no other tab measures.
 *
 * @throws CancelledError, and FaultError where the lab could not grade: the tab was hidden, or the
 * lab itself failed.
 */
export const grade = (mend: Exercise, source: string, options: GradeOptions): Promise<Graded> =>
  measuringLock(webLocks())(() => gradeNow(mend, source, options), {
    waiting: () => options.progress?.('waiting until another measurement of this site has ended'),
    signal: options.signal ?? new AbortController().signal,
  })

async function gradeNow(mend: Exercise, source: string, options: GradeOptions): Promise<Graded> {
  const { environment, beside, progress, signal, isModelled = false } = options
  const { lesson, language } = mend
  const seed = beside?.seed ?? drawn()
  const worker = isModelled ? mend.modelWorker : mend.worker
  const modelled = isModelled ? { isModelled } : {}
  const listener = (who: string): RunListener => ({
    ...(signal ? { signal } : {}),
    progress: (message) => progress?.(`${who}: ${message}`),
  })
  const common = { lesson, worker, language, seed, environment }
  const plan = beside ? beside.evidence.yours.plan : null
  const run = async (again: ProgramReport['plan'] | null, who: string) => {
    const report = await runProgram({ ...common, source, plan: again }, listener(who))
    expectOwnEnd(report)
    return { ...report, stop: report.stop && explainStop(report.stop, source, mend.start) }
  }
  let yours = await run(plan, 'your program')
  const compare = async (which: 'start' | 'reference', who: string) => {
    if (yours.stop) return null
    if (beside) return beside.evidence[which]
    const other = mend[which]
    const report = await runProgram({ ...common, source: other, plan: yours.plan }, listener(who))
    expectOwnEnd(report)
    // The start of a mend may hang. Without the reference there is nothing to hold a program
    // against.
    if (report.stop && which === 'reference')
      throw notGraded(report.stop, 'The lab’s own program did not come to its end here: ')
    return report.stop ? null : report
  }
  const start = await compare('start', 'the unchanged program')
  const reference = await compare('reference', 'the lab’s own')
  const answersAt = language === 'javascript' ? answerLines(source) : []
  const evidenceNow = (): Evidence => ({ yours, start, reference, environment, answersAt, ...modelled })
  const judge = () => allChecksOf(mend, source, evidenceNow())
  let checks = judge()
  // The first of three programs meets a clock that others have not raised yet: a no of time alone
  // is asked again, of all checks. The model is never warm, and says the same twice.
  const noes = checks.flatMap(({ id, outcome }) => (outcome === 'no' ? [id] : []))
  if (!isModelled && noes.length > 0 && noes.every((id) => id === 'time')) {
    yours = await run(yours.plan, 'your program, again')
    checks = judge()
  }
  const evidence = evidenceNow()
  // Kernels of its own take no time on the model: a number of them would be none.
  const figureOf = (report: ProgramReport | null) =>
    report?.unknown === 'kernels' ? null : report && mend.figure.of(report)
  const figures = { start: figureOf(start), yours: figureOf(yours), reference: figureOf(reference) }
  return { ...gradeOf(checks), evidence, seed, figures }
}
