/**
 * A mend as the grader has it: what a lesson's folder `mend/` holds, loaded by whoever lists the
 * lessons (lessons/exercises.ts).
 */
import { changedCheck, checksOf, clockCheck, finishedCheck, fuelCheck, stopCheck, untold } from './checks'
import type { Names } from './names'
import type { Check, Evidence, ExerciseFigure, ProgramReport } from './types'
import type { Passage, Text } from '../text/template'

/** For its learners. Facts are of the lesson's own run. */
export interface RungWords {
  /** An imperative: 'Mend the training loop'. */
  readonly title: string
  /** What the program does and what must become true, in paragraphs. */
  readonly task: Passage
  /**
   * By check, in their order: what it wants. In mend.md the rung's own; in a loaded mend all, those
   * that every mend has behind them.
   */
  readonly must: readonly { readonly id: string; readonly text: string; readonly isCommon?: true }[]
  /** Three, from a question to the line. */
  readonly hints: readonly Text[]
  /** With the reference, after a pass or on request. */
  readonly why: Passage
}

export interface ExerciseWords extends RungWords {
  /** The fix to copy. */
  readonly pytorch: {
    readonly before: Passage
    readonly code: string
    readonly after: Passage
  }
}

/** All that `mend.md` says. */
export interface ExerciseFile extends Pick<ExerciseWords, 'pytorch'> {
  /** In their order. */
  readonly rungs: readonly RungWords[]
  /** Markdown that names.ts reads; null beside a shader. */
  readonly names: string | null
}

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
