/**
 * The tuner's strategy, over a bench that it is given: a quick look at every candidate, then the
 * best few again and again, in turn. Stops at the budget. What was not found right is never chosen.
 */
import type { Candidate } from './candidates'
import {
  byTime,
  chooseEntry,
  describeTrial,
  isRunning,
  msOf,
  type Entry,
  type Trial,
  type TrialBench,
  type TrialResult,
} from './trial'

export interface TrialOptions {
  readonly budgetMs: number
  /** Pipelines compiled beside each other. */
  readonly atOnce: number
}

/** Looks may begin in this share of the budget; the rest is for the finals. */
const LOOK_SHARE = 0.7
/** While a driver compiles for longer than this, the GPU's clock may fall. */
const CLOCK_FALLS_MS = 50
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
export async function runTrials(
  candidates: readonly Candidate[],
  bench: TrialBench,
  options: TrialOptions,
): Promise<{ readonly chosen: Candidate | null; readonly trials: readonly Trial[] }> {
  const trials = new Trials(candidates, bench, options)
  await trials.lookAtAll()
  await trials.runFinals()
  const chosen = await trials.choose()
  return {
    chosen: chosen?.candidate ?? null,
    trials: trials.entries.map((entry) => describeTrial(entry, entry === chosen, bench.flops)),
  }
}

class Trials {
  readonly entries: readonly Entry[]
  readonly #bench: TrialBench
  readonly #options: TrialOptions

  constructor(candidates: readonly Candidate[], bench: TrialBench, options: TrialOptions) {
    this.#bench = bench
    this.#options = options
    this.entries = candidates.map((candidate) => ({
      candidate,
      trial: { outcome: 'no-time-left', reason: 'The time for trials was over before its turn.' },
      roughMs: null,
      samples: [],
    }))
  }

  /**
   * Compiled some at a time, the best guess alone, since a driver may take a second for each; what
   * is compiled is checked, and timed once.
   */
  async lookAtAll(): Promise<void> {
    let next = 0
    for (let count = 1; next < this.entries.length && !this.#isOver(LOOK_SHARE); count *= 2) {
      const from = next
      next += Math.min(count, this.#options.atOnce)
      const chunk = this.entries.slice(from, next).filter((entry) => !this.#isTooPadded(entry))
      const startMs = this.#bench.elapsedMs()
      const faults = await this.#bench.compile(chunk.map(({ candidate }) => candidate))
      const compiled = chunk.filter((_, index) => (faults[index] ?? null) === null)
      for (const [index, entry] of chunk.entries()) {
        const fault = faults[index] ?? null
        if (fault !== null) entry.trial = { outcome: 'failed', reason: fault }
      }
      const [warm = compiled[0]] = this.#running()
      if (warm && (from === 0 || this.#bench.elapsedMs() - startMs > CLOCK_FALLS_MS))
        await this.#bench.warmUp(warm.candidate)
      for (const entry of compiled) await this.#look(entry)
    }
  }

  /** In turn: what disturbs the machine for a while then disturbs all of them. */
  async runFinals(): Promise<void> {
    for (const { samples, keep } of FINAL_ROUNDS) {
      const [leader] = this.#running()
      const within = FINAL_WITHIN * ((leader && msOf(leader)) ?? Infinity)
      const finalists = this.#running()
        .filter((entry) => (msOf(entry) ?? Infinity) <= within)
        .slice(0, keep)
      if (finalists.length < 2) return
      for (let round = 0; round < samples; round += 1)
        for (const entry of finalists) if (isRunning(entry) && !this.#isOver(1)) await this.#repeat(entry)
    }
  }

  /** Right once, and right again after all its runs; else the next one. */
  async choose(): Promise<Entry | null> {
    for (let left = this.#running(); left.length > 0; left = this.#running()) {
      // Samples of the finals are compared with each other; without finals the quick looks are all
      // there is.
      const finalists = left.filter(({ samples }) => samples.length > 0)
      const best = chooseEntry(finalists.length > 0 ? finalists : left.map(asSampled))?.candidate
      const entry = left.find(({ candidate }) => candidate === best)
      if (!entry) return null
      const checked = await this.#bench.check(entry.candidate)
      if (checked.ok) return entry
      entry.trial = { outcome: checked.outcome, reason: checked.reason }
    }
    return null
  }

  async #look(entry: Entry): Promise<void> {
    const { candidate } = entry
    const bestMs = this.#bestMs()
    const estimateMs = bestMs > LONG_MS && bestMs < Infinity ? await this.#bench.estimateMs(candidate) : null
    if (estimateMs !== null && estimateMs > HOPELESS * bestMs) {
      const reason = `A part of the work foretold ${estimateMs.toPrecision(2)} ms, ${(estimateMs / bestMs).toPrecision(2)} times the fastest.`
      entry.trial = { outcome: 'slower', reason }
      return
    }
    const checked = await this.#bench.check(candidate)
    if (!checked.ok) {
      entry.trial = { outcome: checked.outcome, reason: checked.reason }
      return
    }
    const isHopeless = checked.ms > HOPELESS * bestMs
    const sampled = isHopeless ? checked : await this.#sampleTwice(candidate)
    if (!sampled.ok) {
      entry.trial = { outcome: sampled.outcome, reason: sampled.reason }
      return
    }
    entry.roughMs = sampled.ms
    entry.trial = {
      outcome: 'slower',
      ...(isHopeless ? { reason: 'One dispatch took at least so long, by the steps of the clock.' } : {}),
    }
  }

  /**
   * The shorter: a clock that has fallen, or another program on the device, makes one look five
   * times as long, and none shorter.
   */
  async #sampleTwice(candidate: Candidate): Promise<TrialResult> {
    const first = await this.#bench.sample(candidate)
    if (!first.ok) return first
    const second = await this.#bench.sample(candidate)
    return second.ok && first.ms < second.ms ? first : second
  }

  /**
   * By the rate at which tiles were worked off, padding and all: what only pads more at that rate
   * cannot win.
   */
  #isTooPadded(entry: Entry): boolean {
    const { padding } = entry.candidate
    const rates = this.#running().map(({ candidate, roughMs }) => candidate.padding / (roughMs ?? Infinity))
    const estimateMs = rates.length > 0 ? padding / Math.max(...rates) : 0
    if (estimateMs <= HOPELESS * this.#bestMs()) return false
    entry.trial = {
      outcome: 'slower',
      reason: `Its tiles cover ${padding.toPrecision(2)} times the matrix: ${estimateMs.toPrecision(2)} ms at the best rate seen.`,
    }
    return true
  }

  async #repeat(entry: Entry): Promise<void> {
    const sampled = await this.#bench.sample(entry.candidate)
    if (sampled.ok) entry.samples.push(sampled.ms)
    else entry.trial = { outcome: sampled.outcome, reason: sampled.reason }
  }

  /** Fastest first. */
  #running(): readonly Entry[] {
    return this.entries.filter(isRunning).toSorted(byTime)
  }

  #bestMs(): number {
    return this.#running()[0]?.roughMs ?? Infinity
  }

  /**
   * Time is over for a share of the budget; but something must be found that multiplies rightly.
   */
  #isOver(share: number): boolean {
    return this.#running().length > 0 && this.#bench.elapsedMs() >= this.#options.budgetMs * share
  }
}

const asSampled = ({ candidate, roughMs }: Entry) => ({ candidate, samples: [roughMs ?? Infinity] })
