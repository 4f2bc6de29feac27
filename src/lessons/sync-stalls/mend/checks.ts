/**
 * All losses right, an end soon after a loss that is not a number, and a GPU that never runs dry
 * because the host waited.
 */
import type { RunOf } from '../../../exercises/types'
import { medianShare } from '../../../exercises/checks'
import {
  differs,
  firstWrong,
  roundingOf,
  cannotTell,
  checksOf,
  no,
  rulesFor,
  without,
  yes,
  type Ask,
} from '../../../exercises/rules'
import type { ExerciseRules } from '../../../exercises/exercise'
import { queueAhead } from '../../../exercises/queue-ahead'

export const STEPS = 64

/** The lab finds this after a run. */
export type Training = {
  /** Steps that the GPU counted; calls of the host's work. */
  stepsRun: number
  hostRuns: number
  encodedNs: readonly number[]
  /** The step whose loss is not a number; -1: every loss is one. */
  nanStep: number
}

/** The first loss that is wrong, in words; null where none is. */
function wrongLoss({ output, found: { nanStep } }: RunOf<Training>, labs: RunOf<Training>): string | null {
  if (!Array.isArray(output)) return 'Your program must return the list of losses.'
  const losses: readonly unknown[] = output
  const count = nanStep < 0 ? STEPS : nanStep
  if (losses.length < count)
    return `Your program returned ${String(losses.length)} losses; ${nanStep < 0 ? `there are ${String(STEPS)}` : `${String(count)} came before the one that is not a number`}.`
  if (nanStep < 0 && losses.length > STEPS)
    return `Your program returned ${String(losses.length)} losses of ${String(STEPS)} steps.`
  const expected = (labs.output as readonly number[]).slice(0, count)
  const step = firstWrong(losses, expected, roundingOf(expected))
  if (step >= 0)
    return differs(`The loss of step ${String(step)}`, expected[step], 'your program returned', losses[step])
  return nanStep >= 0 && !Number.isNaN(losses[nanStep])
    ? `The loss of step ${String(nanStep)} is not a number; your program did not report it so.`
    : null
}

const { outputIs } = rulesFor<Training>()
const clean = rulesFor<Training>('clean')
const { runsOf: nanRunsOf } = rulesFor<Training>('nan')
/** So many steps may follow the one whose loss is not a number. */
const MOST_STEPS_AFTER = 8

const stops: Ask = ({ yours }) => {
  const [run] = nanRunsOf(yours)
  if (!run) return cannotTell('No run had a loss that is not a number.')
  const { nanStep, stepsRun } = run.found
  const after = stepsRun - (nanStep + 1)
  const words = `The loss of step ${String(nanStep)} was not a number, and ${after === 1 ? '1 more step' : `${String(after)} more steps`} ran after it`
  return after <= MOST_STEPS_AFTER
    ? yes(`${words}.`)
    : no(`${words}; ${String(MOST_STEPS_AFTER)} are allowed.`)
}

export const rules: ExerciseRules = {
  figure: {
    words: 'of the time, the GPU computed',
    unit: 'ratio',
    run: 'clean',
    of: (report) => medianShare(report, 'clean'),
  },
  checks: checksOf({
    output: outputIs(wrongLoss, 'All losses are right, up to the end or to the one that is not a number'),
    work: clean.ranExactly('stepsRun', STEPS, ['The GPU ran', 'training steps']),
    host: clean.ranExactly('hostRuns', STEPS, ['The host did its own work', 'times']),
    stops,
    ahead: queueAhead<Training>(undefined, {
      encodedNs: ({ found }) => found.encodedNs,
      // Larger values are no accident of a busy machine: a reader beside the trainer, six steps
      // behind, had at times read all that was submitted by the time the trainer went on (1 to 4 of
      // 63 times, two cores, software).
      most: { dry: 6, lateShare: 0.25 },
      what: 'a step was submitted',
    }),
    time: clean.halfTheTime,
  }),
}

/** The same checks as the last rung, but nobody asks for an early end. */
export const firstRung = without(rules, 'stops')
