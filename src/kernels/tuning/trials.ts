/**
 * The tuner's strategy, over a bench that it is given: a quick look at every candidate, then the best few again and again, in turn.
 * Stops at the budget. What was not found right is never chosen. Pure but for the bench.
 */
import { medianInterval } from '../../base/stats'
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
export type Look =
  | { readonly ok: true; readonly ms: number }
  | { readonly ok: false; readonly outcome: 'wrong-result' | 'failed'; readonly reason: string }

export interface TrialBench {
  /** Compiles; null for each that compiled, else why it did not. */
  readonly prepare: (candidates: readonly Candidate[]) => Promise<readonly (string | null)[]>
  /** ms of one dispatch by a part of its work; null where no part is much shorter than the whole. */
  readonly foretell: (candidate: Candidate) => Promise<number | null>
  /** Runs one dispatch, checks sampled entries of its result, and times it roughly. */
  readonly check: (candidate: Candidate) => Promise<Look>
  /** One sample: as many dispatches as the clock needs. */
  readonly sample: (candidate: Candidate) => Promise<Look>
  /** Of the budget. */
  readonly elapsedMs: () => number
  /** Floating-point operations of one dispatch. */
  readonly flops: number
}

export interface TrialOptions {
  readonly budgetMs: number
  /** Pipelines compiled beside each other. */
  readonly atOnce: number
  readonly onProgress?: ((fraction: number, message: string) => void) | undefined
}

/** Looks may take this share of the budget; the rest is for the finals. */
const LOOK_SHARE = 0.7
/** Dispatches as long as this are worth foretelling before they are run. */
const LONG_MS = 10
/** One dispatch this many times slower than the best so far needs no second look. */
const HOPELESS = 3
const FINALISTS = 4
/** A quick look may be off by this much, so who is further behind cannot win. */
const FINAL_WITHIN = 1.3
const FINAL_ROUNDS = [
  { samples: 3, keep: FINALISTS },
  { samples: 4, keep: 2 },
] as const
/** Two kernels nearer than this, and within each other's noise, are equally fast. */
const TIE_WITHIN = 1.03

interface Entry {
  readonly candidate: Candidate
  trial: Pick<Trial, 'outcome' | 'reason'>
  /** Rough until samples come. */
  roughMs: number | null
  samples: number[]
}

const msOf = ({ samples, roughMs }: Entry): number | null =>
  samples.length > 0 ? medianInterval(samples).median : roughMs

const isRunning = (entry: Entry): boolean => entry.trial.outcome === 'slower' && entry.roughMs !== null

function byTime(one: Entry, other: Entry): number {
  return (msOf(one) ?? Infinity) - (msOf(other) ?? Infinity)
}

/** The fastest, or the simplest of those that cannot be told from it. */
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

export async function runTrials(
  candidates: readonly Candidate[],
  bench: TrialBench,
  { budgetMs, atOnce, onProgress }: TrialOptions,
): Promise<{ readonly chosen: Candidate | null; readonly trials: readonly Trial[] }> {
  const entries = candidates.map((candidate): Entry => ({
    candidate,
    trial: { outcome: 'no-time-left', reason: 'The time for trials was over before its turn.' },
    roughMs: null,
    samples: [],
  }))
  const progress = (message: string) => onProgress?.(Math.min(1, bench.elapsedMs() / budgetMs), message)
  const running = () => entries.filter(isRunning).toSorted(byTime)
  const bestMs = () => running()[0]?.roughMs ?? Infinity
  /** Time is over for a share of the budget; but something must be found that multiplies rightly. */
  const isOver = (share: number) => running().length > 0 && bench.elapsedMs() >= budgetMs * share

  const look = async (entry: Entry): Promise<void> => {
    const { candidate } = entry
    progress(`trying ${candidate.label}`)
    const foretoldMs = bestMs() > LONG_MS && bestMs() < Infinity ? await bench.foretell(candidate) : null
    if (foretoldMs !== null && foretoldMs > HOPELESS * bestMs()) {
      const reason = `A part of the work foretold ${foretoldMs.toPrecision(2)} ms, ${(foretoldMs / bestMs()).toPrecision(2)} times the fastest.`
      entry.trial = { outcome: 'slower', reason }
      return
    }
    const checked = await bench.check(candidate)
    if (!checked.ok) {
      entry.trial = { outcome: checked.outcome, reason: checked.reason }
      return
    }
    const isHopeless = checked.ms > HOPELESS * bestMs()
    const sampled = isHopeless ? checked : await bench.sample(candidate)
    if (!sampled.ok) {
      entry.trial = { outcome: sampled.outcome, reason: sampled.reason }
      return
    }
    entry.roughMs = sampled.ms
    entry.trial = { outcome: 'slower' }
  }

  // The rate at which tiles were worked off, padding and all: what only pads more at that rate cannot win.
  const foretell = ({ candidate }: Entry): number => {
    const rates = running().map((entry) => entry.candidate.padding / (entry.roughMs ?? Infinity))
    return rates.length > 0 ? candidate.padding / Math.max(...rates) : 0
  }

  for (let from = 0; from < entries.length && !isOver(LOOK_SHARE); from += atOnce) {
    const chunk: Entry[] = []
    for (const entry of entries.slice(from, from + atOnce)) {
      const foretoldMs = foretell(entry)
      if (foretoldMs <= HOPELESS * bestMs()) chunk.push(entry)
      else
        entry.trial = {
          outcome: 'slower',
          reason: `Its tiles cover ${entry.candidate.padding.toPrecision(2)} times the matrix: ${foretoldMs.toPrecision(2)} ms at the best rate seen.`,
        }
    }
    progress(`compiling ${chunk.map(({ candidate }) => candidate.label).join(', ')}`)
    const faults = await bench.prepare(chunk.map(({ candidate }) => candidate))
    for (const [index, entry] of chunk.entries()) {
      const fault = faults[index] ?? null
      if (fault !== null) entry.trial = { outcome: 'failed', reason: fault }
      else if (!isOver(LOOK_SHARE)) await look(entry)
    }
  }

  const repeat = async (entry: Entry): Promise<void> => {
    progress(`repeating ${entry.candidate.label}`)
    const sampled = await bench.sample(entry.candidate)
    if (sampled.ok) entry.samples.push(sampled.ms)
    else entry.trial = { outcome: sampled.outcome, reason: sampled.reason }
  }
  for (const { samples, keep } of FINAL_ROUNDS) {
    const [leader] = running()
    const within = FINAL_WITHIN * ((leader && msOf(leader)) ?? Infinity)
    const finalists = running()
      .filter((entry) => (msOf(entry) ?? Infinity) <= within)
      .slice(0, keep)
    if (finalists.length < 2) break
    // In turn: what disturbs the machine for a while then disturbs all of them.
    for (let round = 0; round < samples; round += 1)
      for (const entry of finalists) if (isRunning(entry) && !isOver(1)) await repeat(entry)
  }

  // Right once, and right again after all its runs; else the next one.
  let chosen: Entry | null = null
  for (let left = running(); left.length > 0 && chosen === null; left = running()) {
    // Samples of the finals are compared with each other; without finals the quick looks are all there is.
    const finalists = left.filter(({ samples }) => samples.length > 0)
    const best = chooseEntry(finalists.length > 0 ? finalists : left.map(asSampled))?.candidate
    const entry = left.find(({ candidate }) => candidate === best)
    if (!entry) break
    const checked = await bench.check(entry.candidate)
    if (checked.ok) chosen = entry
    else entry.trial = { outcome: checked.outcome, reason: checked.reason }
  }
  return {
    chosen: chosen?.candidate ?? null,
    trials: entries.map((entry) => describeTrial(entry, entry === chosen, bench.flops)),
  }
}

const asSampled = ({ candidate, roughMs }: Entry) => ({ candidate, samples: [roughMs ?? Infinity] })

function describeTrial(entry: Entry, isChosen: boolean, flops: number): Trial {
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
