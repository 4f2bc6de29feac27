/** When batches were asked for, beside the submissions that use them. */
import { checksOf, rulesFor } from '../../../mend/rules'
import type { MendRules } from '../../../mend/mend'
import type { RunOf } from '../../../mend/run-facts'
import { submissionsOf } from '../../../mend/trace-of-run'
import type { Trace } from '../../../trace/schema'
import { notOnce, wrongBatch, type Batches } from './batches'

/** Behind the one that is computed on. */
const MOST_WAITING = 2
const RUN = 'batches'
const { outputIs, everyRun, everyTrace, ranExactly, halfTheTime, took } = rulesFor<Batches>(RUN)

/** By step: when its batch was first asked of a worker, and when the step was submitted; Infinity where it was not. */
function momentsOf(trace: Trace, run: RunOf<Batches>) {
  const { askedSteps, askedNs, usedSteps, usedNs } = run.found
  const submissions = submissionsOf(trace, run)
  return Array.from({ length: run.facts.steps }, (_, step) => {
    const used = usedNs[usedSteps.indexOf(step)] ?? Infinity
    return {
      asked: askedNs[askedSteps.indexOf(step)] ?? Infinity,
      submitted: submissions.find(({ startNs }) => startNs >= used)?.startNs ?? Infinity,
    }
  })
}

/** `ahead` later batches are under way whenever a step is submitted. */
const tooLate =
  (ahead: number) =>
  (trace: Trace, run: RunOf<Batches>): string | null => {
    const steps = momentsOf(trace, run)
    for (const [step, { submitted }] of steps.entries()) {
      const later = steps.slice(step + 1, step + 1 + ahead).findIndex(({ asked }) => !(asked < submitted))
      if (later >= 0)
        return `When step ${String(step)} was submitted, batch ${String(step + 1 + later)} had not been asked of a worker.`
    }
    return null
  }

function tooEarly(trace: Trace, run: RunOf<Batches>): string | null {
  const steps = momentsOf(trace, run)
  for (const [step, { asked }] of steps.entries()) {
    const before = steps[step - MOST_WAITING - 1]
    if (before && asked < before.submitted)
      return `Batch ${String(step)} was asked for before step ${String(step - MOST_WAITING - 1)} was submitted: that is more than ${String(MOST_WAITING)} waiting.`
  }
  return null
}

/** Of a rung that asks for so many batches ahead. */
export const rulesAhead = (ahead: 1 | 2): MendRules => ({
  experiment: 'starved-by-the-loader',
  language: 'javascript',
  figure: took('for each batch, made and computed on', ({ facts }) => facts.steps),
  checks: checksOf({
    output: outputIs(
      wrongBatch,
      (run) => `All ${String(run?.facts.steps)} batches arrived in order and the result is right`,
    ),
    once: everyRun(notOnce, () => 'Each batch was made once.'),
    work: ranExactly(
      ({ found }) => found.products,
      ({ facts }) => facts.steps,
      (count) => `Your program encoded ${count} products`,
    ),
    ahead: everyTrace(
      tooLate(ahead),
      () =>
        `Whenever a step was submitted, ${ahead === 1 ? 'the next batch was' : 'the next two batches were'} under way.`,
    ),
    waiting: everyTrace(tooEarly, () => `At most ${String(MOST_WAITING)} batches waited behind the step.`),
    time: halfTheTime,
  }),
})
