/**
 * A mend as the grader has it: what a lesson's folder `mend/` holds, loaded by whoever lists the
 * lessons (lessons/exercises.ts).
 */
import { changedCheck, checksOf, clockCheck, finishedCheck, fuelCheck, stopCheck, untold } from './checks'
import type { Names } from './names'
import type { Check, Evidence, ExerciseFigure, ProgramReport } from './types'
import type { ExerciseWords } from './words'

/** What `checks.ts` says of a rung. */
export interface ExerciseRules {
  /**
   * The one number that the mend is about, and what it was in a program's runs; null where it could
   * not be measured.
   */
  readonly figure: ExerciseFigure & { readonly of: (report: ProgramReport) => number | null }
  /** Requirements of this lesson's exercise, beyond ending, finishing and a sound clock. */
  readonly checks: (evidence: Evidence) => readonly Check[]
}

/** One rung of a lesson's mend. */
export interface Exercise extends ExerciseRules {
  readonly lesson: string
  /** From 1. */
  readonly rung: number
  /** How many there are. */
  readonly rungs: number
  readonly language: 'javascript' | 'wgsl'
  readonly start: string
  readonly reference: string
  readonly words: ExerciseWords
  /** Names of other ways than the lab's own. */
  readonly ways: readonly string[]
  /** What a program can use, a line each; null for a shader. */
  readonly names: Names | null
  /** Address of the worker's script, from the page's base. */
  readonly worker: string
  /** The same for a modelled machine. */
  readonly modelWorker: string
}

/**
 * Every check that applies: of a program that did not come to its end, none that reads what it did.
 */
export function allChecksOf(mend: Exercise, source: string, evidence: Evidence): readonly Check[] {
  const checks = checksOf({
    changed: () => changedCheck(source, mend.start),
    ended: () => stopCheck(evidence.yours),
  })(evidence)
  if (evidence.yours.stop) return checks
  return [
    ...checks,
    ...checksOf({ fuel: fuelCheck })(evidence),
    ...untold(mend.checks(evidence), mend.language, evidence),
    ...checksOf({ finished: finishedCheck, clock: clockCheck })(evidence),
  ]
}
