/**
 * Types of an exercise, as plain data: a program that stalls, started in a worker of its own,
 * recorded, and graded by its output. Everything here crosses between page and worker.
 */
import type { Environment } from '../trace/report'
import type { RunInfo, Trace, TraceChunk } from '../trace/schema'

/** Findings after a run: an exercise's `prepare.ts` writes them, its `checks.ts` reads them. */
export type Found = Readonly<Record<string, ArrayLike<number> | number>>

export type RunOf<F extends Found> = Omit<ProgramRun, 'found'> & { readonly found: F }

export type Outcome = 'yes' | 'no' | 'cannot-tell'

/** One thing that a mend must do, with a sentence that says what was found. */
export interface Check {
  /** 'output', 'work', 'ahead', 'time', …: stable, for programs and tests. */
  readonly id: string
  readonly outcome: Outcome
  readonly text: string
}

/** `passed` is null where no check says no, and one cannot tell. */
export interface Grade {
  readonly passed: boolean | null
  readonly checks: readonly Check[]
}

/**
 * Sizes and rates that the work was made for, worked out once by the first worker of a grading:
 * every program gets the same work.
 */
export type Plan = Readonly<Record<string, number | readonly number[]>>

/** One call of a program. */
export interface ProgramRun {
  /** Its variant in the trace: 'clean', 'nan'. */
  readonly name: string
  /** -2 is the warm-up. */
  readonly repeat: number
  /** The program's return value, as structured clone saw it. */
  readonly output: unknown
  /** Read from the device by the lab after the program had returned: words of buffers, counters. */
  readonly found: Found
  /** On the recorder's clock, ns since the trace's origin. */
  readonly startNs: number
  readonly endNs: number
  /** Submissions that had not been reported complete when it returned. */
  readonly unfinished: number
  /** Lines of its WGSL in which a loop ran out of fuel, from 1. Left out: none. */
  readonly ranOut?: readonly number[]
}

/**
 * Parts of a program that the model does not know: 'kernels' of its own, neither their results nor
 * their time, or the 'results' alone, where more numbers were read than it works out.
 */
export type Unknown = 'kernels' | 'results'

/** Why a program did not come to its end. */
export interface Stop {
  readonly reason:
    | 'syntax'
    | 'threw'
    | 'budget'
    | 'endless'
    | 'never-returned'
    | 'device-lost'
    | 'gpu-error'
    | 'memory'
    | 'hidden'
    | 'cancelled'
    | 'lab'
  /** One sentence for the learner. */
  readonly text: string
  /** Line of the program, from 1; null where no line is known. */
  readonly line: number | null
  /** The browser's own words, where `text` explains them (mistakes.ts). */
  readonly browserText?: string
}

export const stopFor = (reason: Stop['reason'], text: string, line: number | null = null): Stop => ({
  reason,
  text,
  line,
})

export interface ProgramReport {
  readonly runs: readonly ProgramRun[]
  /** Null: it returned from every run. */
  readonly stop: Stop | null
  /** Null where nothing was recorded. */
  readonly trace: Trace | null
  readonly plan: Plan
  readonly isSoftware: boolean
  readonly hasTimestamps: boolean
  readonly unknown?: Unknown
  /** Lines of console.log, cut off at LOG_LIMIT. */
  readonly log: readonly string[]
}

/**
 * The three programs of a grading. Start and reference are null where the learner's program did not
 * come to its end.
 */
export interface Evidence {
  readonly yours: ProgramReport
  readonly start: ProgramReport | null
  readonly reference: ProgramReport | null
  readonly environment: Environment
  /** Lines in which the learner's function returns, from 1. Left out: not known. */
  readonly answersAt?: readonly number[]
  /** No device ran any of it: what is said, the model says. */
  readonly isModelled?: boolean
}

/** The one number of a mend: 'the GPU computed', 'ratio'. */
export interface ExerciseFigure {
  /** Follows the number as one phrase: 'of the time, the GPU computed'. */
  readonly words: string
  readonly unit: 'ratio' | 'ms' | 'GFLOP/s'
  /** Whose first steps are drawn, by its name. */
  readonly run: string
}

/** By program; null where it was not run, or the number could not be measured. */
export interface Compared {
  readonly start: number | null
  readonly yours: number | null
  readonly reference: number | null
}

export interface Graded extends Grade {
  readonly evidence: Evidence
  readonly seed: number
  readonly figures: Compared
}

/** To the worker. */
export interface Start {
  readonly lesson: string
  readonly seed: number
  /** Null: this worker works it out. */
  readonly plan: Plan | null
  readonly environment: Environment
  readonly info: RunInfo
  /** The source of a mend in WGSL; a program's own source is the worker's text. */
  readonly wgsl: string | null
}

/** Lines that a program may write with console.log; later ones are dropped. */
export const LOG_LIMIT = 200
/** The name by which the worker's text hands its program over; gone before the program runs. */
export const ENTRY = 'hostDeviceLabMend'

/** Messages that the worker sends. */
export type Message =
  | {
      readonly type: 'prepared'
      readonly plan: Plan
      readonly isSoftware: boolean
      readonly hasTimestamps: boolean
    }
  /** Who is at work from now on; `run`: the name of the run that begins. The lab is at first. */
  | { readonly type: 'turn'; readonly of: 'program' | 'lab'; readonly run?: string }
  | { readonly type: 'ran'; readonly run: ProgramRun }
  | { readonly type: 'log'; readonly line: string }
  /** The event loop turns: a program that computes without end sends none. */
  | { readonly type: 'alive' }
  | { readonly type: 'trace'; readonly chunk: TraceChunk }
  | { readonly type: 'stop'; readonly stop: Stop }
  | { readonly type: 'done'; readonly unknown?: Unknown }
