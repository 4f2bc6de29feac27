/** All losses right, an end soon after a loss that is not a number, and a GPU that never runs dry because the host waited. */
import { medianShare } from '../../../exercises/checks'
import type { MendRules } from '../../../exercises/mend'
import { cannotTell, checksOf, no, rulesFor, yes, type Ask } from '../../../exercises/rules'
import { supplied } from '../../../exercises/supplied'
import { wrongLoss } from './judged'
import { STEPS, type Training } from './losses'

const { outputIs } = rulesFor<Training>()
const clean = rulesFor<Training>('clean')
const { runsOf: nanRunsOf } = rulesFor<Training>('nan')
/** After the step whose loss is not a number. */
const MOST_STEPS_AFTER = 8

const stops: Ask = ({ yours }) => {
  const [run] = nanRunsOf(yours)
  if (!run) return cannotTell('No run had a loss that is not a number.')
  const { nanStep } = run.facts
  const after = run.found.stepsRun - (nanStep + 1)
  const words = `The loss of step ${String(nanStep)} was not a number, and ${after === 1 ? '1 more step' : `${String(after)} more steps`} ran after it`
  return after <= MOST_STEPS_AFTER
    ? yes(`${words}.`)
    : no(`${words}; ${String(MOST_STEPS_AFTER)} are allowed.`)
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
  checks: checksOf({
    output: outputIs(wrongLoss, 'All losses are right, up to the end or to the one that is not a number'),
    work: clean.ranExactly(
      ({ found }) => found.stepsRun,
      STEPS,
      (count) => `The GPU ran ${count} training steps`,
    ),
    host: clean.ranExactly(
      ({ found }) => found.hostRuns,
      STEPS,
      (count) => `The host did its own work ${count} times`,
    ),
    stops,
    ahead: supplied<Training>(undefined, {
      encodedNs: ({ found }) => found.encodedNs,
      // More than these are no accident of a busy machine: a reader beside the trainer, six steps behind, had at times read all that was
      // submitted by the time the trainer went on (1 to 4 of 63 times, two cores, software).
      most: { dry: 6, lateShare: 0.25 },
      what: 'a step was submitted',
    }),
    time: clean.halfTheTime,
  }),
}
