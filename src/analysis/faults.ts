/**
 * What a diagnosis can find: faults of the program, and idle time that is nobody's fault. Each microsecond of a device belongs to one of
 * them at most, so that shares add up (diagnosis.ts). What the causes of idle time mean is in trace/gaps.ts. Plain data: it crosses threads
 * as it is.
 */
import type { GapCause } from '../trace/gaps'
import type { Coverage } from './coverage'

/** The order is that of equal shares, the plainer fault first. */
export const FAULTS = [
  'read-back',
  'late-upload',
  'synchronise',
  'pageable-copies', // the copies themselves too
  'lone-copies', // copies between work and work, with no kernel beside them
  'data-loading',
  'small-kernels',
  'host-busy',
  'slow-start',
  'rank-message',
  'rank-wait', // in collectives with no other work beside them, until the last rank came: where ranks are joined
  'collectives', // kernels of collectives with no other work beside them: waiting or moving, which one file cannot tell
  'lone-collectives', // the same without that waiting
] as const
export type Fault = (typeof FAULTS)[number]

/** Idle time that no fault is named for. */
export const EXCUSES = ['profiler', 'first-step', 'between-kernels', 'between-frames', 'unknown'] as const
export type Excuse = (typeof EXCUSES)[number]

/** The causes of idle time (trace/gaps.ts) that gaps of a profile have: a fault, an excuse, or that it is not known to be idle. */
export type IdleReason = Extract<GapCause, Fault | Excuse | 'not-recorded'>

/**
 * A cause is named from this share of the device's extent on. Below a twentieth, two recordings of one program differ by as much, and
 * mending it is not noticed.
 */
export const NAMED_SHARE = 0.05
/** Where no cause reaches that and all of them together reach this, those of at least MINOR_SHARE are named. */
export const SCATTERED_SHARE = 0.1
/** Below this a cause is not even listed: a hundredth is within what the profiler itself adds. */
export const MINOR_SHARE = 0.01

/**
 * Where in the reader's program: of torch.profiler files with Python stacks. They name functions, each by the line it begins at, and what
 * built-in method was called in it; not the line of the call.
 */
export interface SourceLine {
  readonly file: string
  /** Where the function begins; of module level the line that ran when the profiler began. */
  readonly line: number
  /** The function; '<module>' for module level. */
  readonly name: string
  /** The tensor's method that was called there, 'item'; null where none was seen. */
  readonly method: string | null
  /** Of the finding's time, what was spent under it: 0 to 1. */
  readonly share: number
}

/** What can be shown in the timeline: a gap, by index into the device's gaps, or a span of the trace. */
export type Example =
  | { readonly type: 'gap'; readonly gap: number }
  | { readonly type: 'span'; readonly span: number }

export interface Finding {
  readonly fault: Fault
  readonly us: number
  /** Of what is recorded of the device's extent. */
  readonly share: number
  /** Of all idle time; null where what it costs is not idle time (copies, collectives). */
  readonly idleShare: number | null
  /** Gaps, copies or collectives it rests on. */
  readonly count: number
  readonly medianUs: number
  readonly longestUs: number
  readonly example: Example
  /** A short name. */
  readonly title: string
  /** What it does to the device, as a sentence with its share. */
  readonly sentence: string
  /** What the file shows, in sentences with counts and times. */
  readonly evidence: string
  /** What to change, in a sentence or two. */
  readonly mend: string
  readonly source: SourceLine | null
}

/** Where a device's extent went, µs; the sum is the extent. */
export interface DeviceParts {
  /** Kernels, memsets and copies within the device, whatever else runs beside them. */
  readonly workUs: number
  /** Copies from or to the host, with no such work beside them. */
  readonly copyUs: number
  /** In collectives until the last rank came, with no such work beside them; 0 where ranks are not joined: then it is in `collectiveUs`. */
  readonly waitUs: number
  /** The rest of the collectives, with no such work beside them. */
  readonly collectiveUs: number
  readonly idleUs: number
  /** Gaps in which launches stand that have no record, and copies and collectives that may have had their work beside them: nobody knows. */
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

export interface Diagnosis {
  /** Of the device summary. */
  readonly device: string
  readonly verdict: VerdictKind
  /** The verdict in a sentence. */
  readonly sentence: string
  /** What the sentence rests on or leaves open, in sentences; '' where there is nothing to add. */
  readonly note: string
  readonly busyRatio: number | null
  readonly spanUs: number
  /** What shares are of: spanUs less parts.unrecordedUs. */
  readonly recordedUs: number
  /** As the device's summary has it. */
  readonly coverage: Coverage | null
  readonly parts: DeviceParts
  /** Most time first. */
  readonly findings: readonly Finding[]
  /** Causes too small to be named, most time first. */
  readonly minor: readonly Finding[]
  readonly excused: readonly { readonly excuse: Excuse; readonly us: number; readonly share: number }[]
}
