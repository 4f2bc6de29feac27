/** All losses right, an end soon after a loss that is not a number, and a GPU that never runs dry because the host waited. */
import { fillValue } from '../../../kernels/data/fill'
import { referenceEntry, tolerance } from '../../../kernels/matmul/reference'
import { check, gradedRuns, medianShare, timeCheck } from '../../../mend/checks'
import type { MendRules } from '../../../mend/mend'
import type { Check, ProgramReport, ProgramRun } from '../../../mend/types'
import { submissionsWith, waitsOf } from '../../../mend/trace-of-run'
import { positionsOf, STEPS } from './losses'

/** After the step whose loss is not a number. */
const MOST_STEPS_AFTER = 8

const numberOf = (facts: ProgramRun['facts'], name: string): number => Number(facts[name])

interface Expected {
  readonly value: number
  /** Of |got − value|. */
  readonly allowed: number
}

/** C after step s is (s + 1)·A·B. The tolerance is the lab's own, with its reasons: kernels/matmul/reference.ts. */
export function expectedLosses({ facts }: ProgramRun): readonly Expected[] {
  const [n, seedA, seedB] = [numberOf(facts, 'n'), numberOf(facts, 'seedA'), numberOf(facts, 'seedB')]
  return positionsOf(n, numberOf(facts, 'seedPlan')).map((word, step) => {
    const { value, scale } = referenceEntry(
      Math.floor(word / n),
      word % n,
      n,
      (row, k) => fillValue(row * n + k, seedA),
      (k, column) => fillValue(k * n + column, seedB),
    )
    return { value: value * (step + 1), allowed: tolerance(n, step + 1) * scale * (step + 1) }
  })
}

/** The first loss that is wrong, in words; null where none is. */
function wrongLoss(run: ProgramRun): string | null {
  const nanStep = numberOf(run.facts, 'nanStep')
  const losses = Array.isArray(run.output) ? (run.output as readonly unknown[]) : null
  if (!losses) return 'Your program must return the list of losses.'
  const count = nanStep < 0 ? STEPS : nanStep
  if (losses.length < count)
    return `Your program returned ${String(losses.length)} losses; ${nanStep < 0 ? `there are ${String(STEPS)}` : `${String(count)} came before the one that is not a number`}.`
  if (nanStep < 0 && losses.length > STEPS)
    return `Your program returned ${String(losses.length)} losses of ${String(STEPS)} steps.`
  const expected = expectedLosses(run)
  for (let step = 0; step < count; step += 1) {
    const [got, wanted] = [losses[step], expected[step]]
    if (!wanted) break
    const isRight = typeof got === 'number' && Math.abs(got - wanted.value) <= wanted.allowed
    if (!isRight)
      return `The loss of step ${String(step)} is ${wanted.value.toPrecision(6)} (± ${wanted.allowed.toPrecision(1)}); your program returned ${typeof got === 'number' ? got.toPrecision(6) : 'no number'}.`
  }
  if (nanStep >= 0 && !Number.isNaN(losses[nanStep]))
    return `The loss of step ${String(nanStep)} is not a number; your program did not report it so.`
  return null
}

function output(yours: ProgramReport): Check {
  const runs = gradedRuns(yours)
  for (const run of runs) {
    const wrong = wrongLoss(run)
    if (wrong !== null) return check('output', 'no', wrong)
  }
  return check(
    'output',
    'yes',
    `All losses are right, in ${String(runs.length)} runs with fresh numbers, one of them with a loss that is not a number.`,
  )
}

const stepsRun = ({ found }: ProgramRun): number => Number(found['stepsRun'])

function work(yours: ProgramReport): Check {
  const runs = gradedRuns(yours, 'clean')
  const wrong = runs.find((run) => stepsRun(run) < STEPS || stepsRun(run) > 1.1 * STEPS)
  return wrong
    ? check(
        'work',
        'no',
        `The GPU ran ${String(stepsRun(wrong))} training steps; ${String(STEPS)} are asked for.`,
      )
    : check('work', 'yes', `The GPU ran ${String(STEPS)} training steps, as asked.`)
}

function stops(yours: ProgramReport): Check {
  const [run] = gradedRuns(yours, 'nan')
  if (!run) return check('stops', 'cannot-tell', 'No run had a loss that is not a number.')
  const nanStep = numberOf(run.facts, 'nanStep')
  const after = stepsRun(run) - (nanStep + 1)
  const words = `The loss of step ${String(nanStep)} was not a number, and ${after === 1 ? '1 more step' : `${String(after)} more steps`} ran after it`
  return after <= MOST_STEPS_AFTER
    ? check('stops', 'yes', `${words}.`)
    : check('stops', 'no', `${words}; ${String(MOST_STEPS_AFTER)} are allowed.`)
}

/** More late submissions than these are no accident of a busy machine. */
const MOST_LATE_SHARE = 0.25

/** Whether each wait left the GPU something to do. */
function ahead(yours: ProgramReport): Check {
  const { trace } = yours
  if (!trace) return check('ahead', 'cannot-tell', 'Nothing was recorded.')
  let [dry, waits, late, submitted] = [0, 0, 0, 0]
  for (const run of gradedRuns(yours)) {
    const encoded = Array.from(run.found['encodedNs'] as ArrayLike<number>)
    const training = submissionsWith(trace, run, encoded)
    const last = training.at(-1)
    if (!last) continue
    for (const wait of waitsOf(trace, run)) {
      if (wait.startNs >= last.startNs) continue
      waits += 1
      const newest = training.findLast(({ startNs }) => startNs < wait.startNs)
      if (newest && wait.submission >= newest.id) dry += 1
    }
    for (const [index, { startNs }] of training.entries()) {
      if (index === 0) continue
      submitted += 1
      if (training.slice(0, index).every(({ completedNs }) => completedNs !== null && completedNs <= startNs))
        late += 1
    }
  }
  if (dry > 0)
    return check(
      'ahead',
      'no',
      `${String(dry)} of ${String(waits)} waits were for the newest step: while your program waited, the GPU ran dry.`,
    )
  if (late > MOST_LATE_SHARE * submitted)
    return check(
      'ahead',
      'no',
      `${String(late)} of ${String(submitted)} steps were submitted when all before them had ended: the GPU had run dry.`,
    )
  return check(
    'ahead',
    'yes',
    waits === 0
      ? 'Your program never waited before its last step.'
      : `Each of ${String(waits)} waits left at least one more step with the GPU.`,
  )
}

export const rules: MendRules = {
  experiment: 'sync-stalls',
  language: 'javascript',
  figure: {
    words: 'of the time, the GPU computed',
    unit: 'ratio',
    run: 'clean',
    of: (report) => medianShare(report, 'clean'),
  },
  checks: (evidence) => {
    const { yours } = evidence
    return [output(yours), work(yours), stops(yours), ahead(yours), timeCheck(evidence, 'clean')]
  },
}
