/**
 * One candidate in the tuner's trials: how it did, what it is tried on, and which of several is
 * chosen. Pure.
 */
import { medianInterval } from '../../../src/base/stats'
import type { Candidate } from './candidates'

/** One candidate's fate. */
export interface Trial {
  readonly kernelId: string
  /** The kernel with its tile, as a person reads it. */
  readonly label: string
  /** Median of its dispatches, ms; null where it was not timed. */
  readonly ms: number | null
  readonly gflops: number | null
  readonly outcome: 'chosen' | 'slower' | 'wrong-result' | 'unsupported' | 'failed' | 'no-time-left'
  /** Why, where it was not timed, or not now. */
  readonly reason?: string
}

/** ms a dispatch, or why there is none. */
export type TrialResult =
  | { readonly ok: true; readonly ms: number }
  | { readonly ok: false; readonly outcome: 'wrong-result' | 'failed'; readonly reason: string }

export interface TrialBench {
  /** Compiles; null for each that compiled, else why it did not. */
  readonly compile: (candidates: readonly Candidate[]) => Promise<readonly (string | null)[]>
  /**
   * ms of one dispatch by a part of its work; null where no part is much shorter than the whole.
   */
  readonly estimateMs: (candidate: Candidate) => Promise<number | null>
  /**
   * Runs one dispatch and checks sampled entries of its result; the time is what it took at least,
   * by the steps of the clock.
   */
  readonly check: (candidate: Candidate) => Promise<TrialResult>
  /** One sample: as many dispatches as the clock needs. */
  readonly sample: (candidate: Candidate) => Promise<TrialResult>
  /** Work for the clock of a GPU, which falls while pipelines compile. */
  readonly warmUp: (candidate: Candidate) => Promise<void>
  /** Time used of the budget. */
  readonly elapsedMs: () => number
  /** Floating-point operations of one dispatch. */
  readonly flops: number
}

/** Two kernels nearer than this, and within each other's noise, are equally fast. */
const TIE_WITHIN = 1.03

/** A candidate, and what is known of it so far. */
export interface Entry {
  readonly candidate: Candidate
  trial: Pick<Trial, 'outcome' | 'reason'>
  /** Rough until samples come. */
  roughMs: number | null
  samples: number[]
}

export const msOf = ({ samples, roughMs }: Entry): number | null =>
  samples.length > 0 ? medianInterval(samples).median : roughMs

export const isRunning = (entry: Entry): boolean => entry.trial.outcome === 'slower' && entry.roughMs !== null

export function byTime(one: Entry, other: Entry): number {
  return (msOf(one) ?? Infinity) - (msOf(other) ?? Infinity)
}

/** The fastest, or the simplest of those that cannot be distinguished from it. */
export function chooseEntry<
  Timed extends { readonly candidate: { readonly rank: number }; readonly samples: readonly number[] },
>(timed: readonly Timed[]): Timed | null {
  const measured = timed.map((entry) => ({ entry, ...medianInterval(entry.samples) }))
  const best = measured.reduce<(typeof measured)[number] | null>(
    (least, one) => (least === null || one.median < least.median ? one : least),
    null,
  )
  if (!best) return null
  const tied = measured.filter(
    ({ median, low }) => low <= best.median && median <= best.high && median <= best.median * TIE_WITHIN,
  )
  return tied.reduce(
    (simplest, one) => (one.entry.candidate.rank < simplest.entry.candidate.rank ? one : simplest),
    best,
  ).entry
}

export function describeTrial(entry: Entry, isChosen: boolean, flops: number): Trial {
  const { candidate, trial } = entry
  const ms = trial.outcome === 'slower' ? msOf(entry) : null
  return {
    kernelId: candidate.kernel.id,
    label: candidate.label,
    ms,
    gflops: ms === null ? null : flops / (ms * 1e6),
    outcome: isChosen ? 'chosen' : trial.outcome,
    ...(trial.reason === undefined ? {} : { reason: trial.reason }),
  }
}
