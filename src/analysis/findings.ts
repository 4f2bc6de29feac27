/**
 * The findings of an analysis of a device's time: causes, each with what a step would take without
 * it. Plain data: it crosses threads as it is. Times in µs.
 */
import type { GapCause } from '../trace/gaps'
import type { Coverage } from './coverage'
import type { Cause } from './replay/causes'
import type { StepSource } from './replay/steps'

/** Idle time that no cause is named for. */
export const EXCUSES = ['profiler', 'first-step', 'between-kernels', 'between-frames', 'unknown'] as const
export type Excuse = (typeof EXCUSES)[number]

/** The causes of idle time (trace/gaps.ts) that gaps of a profile have. */
export type IdleReason = Extract<GapCause, Cause | Excuse | 'not-recorded'>

/** A cause is named where a step without it is predicted to be so many times as fast. */
export const NAMED_GAIN = 1.02
/** The least gain for which a finding of a recorded page is named. */
export const NAMED_PAGE_GAIN = 1.05
/**
 * From this share of the device's extent on, a cause is named if nothing can be replayed. Below a
 * twentieth, two recordings of one program differ by as much.
 */
export const NAMED_SHARE = 0.05
/** Idle time without a named cause is said first if it takes at least this share of the time. */
export const EXCUSED_SHARE = 0.1
/** Below this a cause is not even listed: a hundredth is within what the profiler itself adds. */
export const MINOR_SHARE = 0.01

/**
 * A place in the reader's program, from torch.profiler files with Python stacks. They name
 * functions, each by the line it begins at, and the built-in method called in it; not the line of
 * the call.
 */
export interface SourceLine {
  readonly file: string
  /**
   * The line at which the function begins; at module level the line that ran when the profiler
   * began.
   */
  readonly line: number
  /** The function; '<module>' for module level. */
  readonly name: string
  /** The tensor's method that was called there, 'item'; null where none was seen. */
  readonly method: string | null
  /** The share of the finding's time that was spent under it: 0 to 1. */
  readonly share: number
}

/** An example in the timeline: a gap, by index into the device's gaps, or a span of the trace. */
export type Example =
  | { readonly type: 'gap'; readonly gap: number }
  | { readonly type: 'span'; readonly span: number }

/**
 * A step without a cause, predicted by replay. µs, of the program without the profiler where its
 * step is known.
 */
export interface Gain {
  readonly stepUs: number
  /** No measured step of our pairs was below or above these: replay/predict.ts. */
  readonly low: number
  readonly high: number
  /** The step now over `stepUs`. */
  readonly gain: number
}

export interface Finding {
  readonly cause: Cause
  /** The operator, call or function in which host or device were. */
  readonly what: string
  readonly line: SourceLine | null
  /**
   * The time that the cause's removal takes off a step; if nothing is predicted, the device's time
   * in all.
   */
  readonly usPerStep: number
  /** A share of the step; if nothing is predicted, of the recorded part of the device's extent. */
  readonly share: number
  /** Null where nothing can be replayed. */
  readonly without: Gain | null
  /** The other cause, if neither gains anything alone, and the gain of both together. */
  readonly together: { readonly cause: Cause; readonly gain: Gain } | null
  readonly example: Example | null
  /** A short name. */
  readonly title: string
  /** Says what it costs. */
  readonly sentence: string
  /** Says what the file shows, with counts and times. */
  readonly evidence: string
  /** Says what to change, in a sentence or two. */
  readonly mend: string
}

/** Cost of all findings together, µs: a device that loses more comes first. */
export const costOf = (findings: readonly Finding[]): number =>
  findings.reduce((sum, { usPerStep }) => sum + usPerStep, 0)

/** The steps that a prediction is of. */
/** By how the step is known: the pairs that say how far off a prediction is (predict.ts). */
export type MeasuredError = 'timed' | 'estimated' | 'alone' | 'pages'

export interface StepFacts {
  /** All in the file. */
  readonly count: number
  readonly medianUs: number
  /** Replayed unchanged; of the program without the profiler where its step is known. */
  readonly replayedUs: number
  /** The profiler's own, which is in none of these. */
  readonly profilerUs: number
  readonly from: StepSource
  /** The file or the reader gives it; null: it is not known. */
  readonly unprofiledUs: number | null
  /**
   * Where it is not known: by what torch.profiler usually adds. Null: known, or no such profile.
   */
  readonly estimatedUs: number | null
  readonly errorsOf: MeasuredError
}

/** The parts of a device's extent, µs; the sum is the extent. */
export interface DeviceParts {
  /** Kernels, memsets and copies within the device, whatever else runs beside them. */
  readonly workUs: number
  /** Copies from or to the host, with no such work beside them. */
  readonly copyUs: number
  /**
   * In collectives until the last rank came, with no such work beside them; 0 where ranks are not
   * joined: then it is in `collectiveUs`.
   */
  readonly waitUs: number
  /** The rest of the collectives, with no such work beside them. */
  readonly collectiveUs: number
  readonly idleUs: number
  /**
   * Gaps in which launches stand that have no record, and copies and collectives that may have had
   * their work beside them: nobody knows.
   */
  readonly unrecordedUs: number
}

export type VerdictKind =
  | 'faults' // there are findings
  | 'well-fed' // idle time has no cause that costs anything
  | 'excused' // idle, but for the profiler or the first step
  | 'unexplained' // idle, and the file does not say why
  | 'no-work' // nothing ran on it
  | 'lab-run' // several variants of a lab's experiment side by side: no one verdict is true of all
  | 'partial' // no cause is found in what is recorded, and more than a little is not

/**
 * Products of float32 that use no tensor cores, on a device whose tensor cores would take them:
 * matrix products alone where `without` is known.
 */
export interface Float32Facts {
  /** The share of the recorded time that they take. */
  readonly share: number
  /** A step with TF32 in their place; null: not known. */
  readonly without: Gain | null
  /** They are the first thing to change: no finding gains for sure. */
  readonly isFirst: boolean
}

export interface Diagnosis {
  /** The id of the device summary. */
  readonly device: string
  readonly verdict: VerdictKind
  /** The verdict in a sentence. */
  readonly sentence: string
  /** Says what the sentence rests on or leaves open; '' if there is nothing to add. */
  readonly note: string
  readonly busyRatio: number | null
  readonly spanUs: number
  /** The time that shares are of: spanUs less parts.unrecordedUs. */
  readonly recordedUs: number
  /** A copy of the summary's. */
  readonly coverage: Coverage | null
  readonly parts: DeviceParts
  /** Null where nothing was replayed. */
  readonly steps: StepFacts | null
  /** Null where their share is small, or TF32 would gain nothing. No finding: results change. */
  readonly float32: Float32Facts | null
  /** Most gain first; of dispatch, as a graph seldom has all of it, three quarters count. */
  readonly findings: readonly Finding[]
  /** Causes whose removal gains too little to be named. */
  readonly minor: readonly Finding[]
  readonly excused: readonly { readonly excuse: Excuse; readonly us: number; readonly share: number }[]
}
