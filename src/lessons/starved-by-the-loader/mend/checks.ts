/** Batches made ahead by two workers, at most two waiting, all of them right and in order. */
import { onDevice, passOf, type Names } from '../../../exercises/names'
import { median } from '../../../base/stats'
import { lengthMs, ms, percent } from '../../../exercises/checks'
import { cannotTell, checksOf, no, rulesFor, yes, type Ask } from '../../../exercises/rules'
import type { ExerciseRules } from '../../../exercises/exercise'
import type { RunOf } from '../../../exercises/types'
import { atLines, submissionsOf, waitsOf } from '../../../exercises/trace-of-run'
import type { Trace } from '../../../trace/schema'
import { notOnce, wrongBatch, type Batches } from './batches'

/** What the program is given, a line each: prepare.ts makes it. */
export const input = {
  make: { takes: '(step)', says: 'Makes a batch in this thread, which does nothing else meanwhile.' },
  ask: {
    takes: '(step)',
    says: 'Asks worker step % 2 for a batch. The promise settles with its numbers when they are made.',
  },
  target: { says: 'A buffer on the GPU, for the batch that is computed on.' },
  uses: {
    has: passOf('the look at what has arrived'),
    says: 'One for each batch, for the check alone: it keeps words of what has arrived.',
  },
  matmul: { has: passOf('the product'), says: 'The layers, once for each batch.' },
  steps: { says: 'How many batches there are.' },
} as const satisfies Names
export const scope = onDevice(input)

/** Behind the one that is computed on. */
const MOST_WAITING = 2
const RUN = 'batches'
const { runsOf, outputIs, everyRun, everyTrace, ranExactly, took } = rulesFor<Batches>(RUN)

interface Moments {
  /** When its batch was first asked of a worker; Infinity where it was not. */
  readonly asked: number
  /** How many batches had come by then. */
  readonly come: number
  /** When its batch had come; Infinity where it did not. */
  readonly came: number
  /** When the step was submitted; Infinity where it was not. */
  readonly submitted: number
}
/** By step. */
function momentsOf(trace: Trace, run: RunOf<Batches>): readonly Moments[] {
  const { askedSteps, askedNs, askedCome, comeNs, comeSteps, usedSteps, usedNs } = run.found
  const submissions = submissionsOf(trace, run)
  return Array.from({ length: run.facts.steps }, (_, step) => {
    const [ask, used] = [askedSteps.indexOf(step), usedNs[usedSteps.indexOf(step)] ?? Infinity]
    return {
      asked: askedNs[ask] ?? Infinity,
      come: askedCome[ask] ?? Infinity,
      came: comeNs[comeSteps.indexOf(step)] ?? Infinity,
      submitted: submissions.find(({ startNs }) => startNs >= used)?.startNs ?? Infinity,
    }
  })
}

/**
 * `ahead` later batches are asked for before the loop, a step being submitted, has been told anything: that a wait is over, or that a batch
 * has come. Whatever it awaited, it has waited then. Whether it asks before it submits or right after is its own affair.
 */
const tooLate =
  (ahead: number) =>
  (trace: Trace, run: RunOf<Batches>): string | null => {
    const steps = momentsOf(trace, run)
    const waits = waitsOf(trace, run)
    const submissions = submissionsOf(trace, run)
    for (const [step, { submitted }] of steps.entries()) {
      const waited = Math.min(...waits.map(({ endNs }) => endNs).filter((endNs) => endNs > submitted))
      const come = run.found.comeNs.filter((atNs) => atNs <= submitted).length
      const later = steps
        .slice(step + 1, step + 1 + ahead)
        .findIndex((each) => !(each.asked < waited && each.come <= come))
      if (later >= 0)
        return `When the loop waited after step ${String(step)} was submitted${atLines(submissions.filter(({ startNs }) => startNs === submitted))}, batch ${String(step + 1 + later)} had not been asked of a worker.`
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

/**
 * A step whose batch is there, on a device that is idle, is submitted before the loop hears of another batch: it needs nothing else. A wait
 * for the device excuses it.
 */
function waitedForAnother(trace: Trace, run: RunOf<Batches>): string | null {
  const steps = momentsOf(trace, run)
  const waits = waitsOf(trace, run)
  const submissions = submissionsOf(trace, run)
  for (const [step, { came, submitted }] of steps.entries()) {
    const before = submissions.filter(({ startNs }) => startNs < submitted)
    const idle = Math.max(run.startNs, came, ...before.map(({ completedNs }) => completedNs ?? Infinity))
    const excuses = waits.filter(({ startNs }) => startNs < submitted)
    const free = Math.max(idle, ...excuses.map(({ endNs }) => endNs))
    const other = steps.findIndex((each) => each.came > free && each.came < submitted)
    if (other >= 0)
      return `Step ${String(step)} had its batch and was submitted only when batch ${String(other)} had come too.`
  }
  return null
}

/** The lab's own program saves less than this of what can be saved: then times decide nothing. */
const LEAST_SAVED = 0.1

/**
 * Threads make batches at uneven speeds, and programs run one after the other: so each run is held against what was possible at the speed of
 * its own makers. One batch after the other, it would take their making and, as the unchanged program shows, the rest of a step; with
 * `ahead` batches made at a time, the longer of the two.
 */
const hides =
  (ahead: number): Ask =>
  ({ yours, start, reference }) => {
    const restMs = Math.min(...runsOf(start).map((run) => lengthMs(run) - run.found.madeMs))
    const serialMs = ({ found }: RunOf<Batches>) => found.madeMs + restMs
    const savedBy = (run: RunOf<Batches>) =>
      (serialMs(run) - lengthMs(run)) / (serialMs(run) - Math.max(run.found.madeMs / ahead, restMs))
    const shares = runsOf(reference).map(savedBy)
    const [best] = runsOf(yours).toSorted((a, b) => savedBy(b) - savedBy(a))
    if (!best || shares.length === 0 || !(restMs > 0) || !Number.isFinite(restMs + best.found.madeMs))
      return cannotTell('Nothing was timed: the programs beside yours did not run to their ends.')
    const [own, labs] = [savedBy(best), median(shares)]
    const text = `At the speed at which its batches were made, your program would take ${ms(serialMs(best))} without a batch ahead; it took ${ms(lengthMs(best))}. That is ${percent(Math.max(0, own))} of what can be saved; the lab’s own mend saved ${percent(Math.max(0, labs))}.`
    if (!(labs >= LEAST_SAVED)) return cannotTell(`${text} On this machine times do not decide.`)
    if (own >= labs / 2) return yes(text)
    return yours.isSoftware
      ? cannotTell(`${text} Here the processor plays the GPU too, so times do not decide.`)
      : no(`${text} Half of that is asked for.`)
  }

/** Of a rung that asks for so many batches ahead. */
export const rulesAhead = (ahead: 1 | 2): ExerciseRules => ({
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
        `Whenever the loop waited after a step, ${ahead === 1 ? 'the next batch' : 'the next two batches'} had been asked of the workers.`,
    ),
    waiting: everyTrace(tooEarly, () => `At most ${String(MOST_WAITING)} batches waited behind the step.`),
    own: everyTrace(waitedForAnother, () => 'No step waited for another batch than its own.'),
    time: hides(ahead),
  }),
})

export const rules = rulesAhead(2)

/** One batch ahead. */
export const firstRung = rulesAhead(1)
