/**
 * A program on the modelled machine while it is typed: one run of it, without a device and without a grade. What comes of it is modelled, and
 * is held against nothing.
 */
import type { Environment } from '../trace/report'
import { gradedRuns, medianShare } from './checks'
import { runProgram } from './client'
import type { Mend } from './mend'
import { stepsOf } from './trace-of-run'
import type { OnModel, Plan, ProgramReport } from './types'

/** The model takes a fraction of it for any mend: what is longer at work computes by itself, and often is half a loop. */
const LIMIT_MS = 2000
/** Nothing is graded, so that it may be known: the same inputs at each pause, and one picture for one program. */
const SEED = 1

export interface OnModelOptions {
  /** Of the model's card. */
  readonly environment: Environment
  /** The sizes of another program of this mend, which is then given the same work. */
  readonly plan: Plan | null
  readonly signal: AbortSignal
}

/** Null where it says nothing of the program: it was cancelled, the tab was hidden, or the lab itself failed. */
export async function runOnModel(
  mend: Mend,
  source: string,
  { environment, plan, signal }: OnModelOptions,
): Promise<OnModel | null> {
  const { lesson, rung, experiment, language, modelWorker: worker } = mend
  const report = await runProgram(
    {
      lesson,
      rung,
      worker,
      experiment,
      language,
      source,
      seed: SEED,
      looks: SEED, // nothing is graded
      plan,
      environment,
      whileTyped: { limitMs: LIMIT_MS },
    },
    { signal },
  )
  return shownOf(report, mend)
}

const NOT_OF_PROGRAM: readonly string[] = ['cancelled', 'hidden', 'lab']

/** Of the run that the mend is about: how long a step takes, or the call where it has none, and the share of the time that the device computes. */
function shownOf(report: ProgramReport, { figure, isTimedOnModel }: Mend): OnModel | null {
  const { stop, plan, unknown } = report
  if (stop && NOT_OF_PROGRAM.includes(stop.reason)) return null
  const isUnknown = unknown === 'kernels'
  // Without times a picture would be none.
  const trace = isTimedOnModel && !isUnknown ? report.trace : null
  const [run] = trace ? gradedRuns(report, figure.run) : []
  const steps = trace && run ? stepsOf(trace, run) : 0
  return {
    stop,
    plan,
    trace,
    isUnknown,
    tookMs: run ? (run.endNs - run.startNs) / 1e6 / Math.max(1, steps) : null,
    steps,
    busy: run ? medianShare(report, figure.run) : null,
  }
}
