/**
 * Predicts by replay what a repeat of a run of the lab would take without a cause of its device's
 * idle time, and tests it by the variant that goes without the cause. A prediction reads one
 * variant alone, so the other is a fair test.
 */
import { madeOnce } from '../base/lists'
import { NS_PER_MS } from '../base/figures'
import type { GapCause } from '../trace/gaps'
import type { PlacedTrace } from '../trace/place'
import type { Metric } from '../trace/report'
import { repeatWindows } from '../trace/typical-repeats'
import { summarise, differenceOf } from './metrics'
import type { Cause } from './replay/causes'
import { agreesWithRecord } from './replay/device-replay'
import { Replay } from './replay/predict'
import { readRepeat } from './replay/read-page'

const RESULTS: readonly Cause[] = ['read-back', 'synchronize']
/**
 * The replay takes these causes away with a cause of idle time; for the others, no change of this
 * program is known.
 */
const TAKES: Readonly<Partial<Record<GapCause, readonly Cause[]>>> = {
  'host-waited': RESULTS,
  'upload-not-ready': [...RESULTS, 'copies-in-line', 'data-loading'],
  'host-late': ['host-code'],
  'launch-overhead': ['dispatch'],
}

/**
 * How far a measured repeat was below and above its prediction at most, as shares of a repeat and
 * of what was predicted to be saved: variants of recorded runs (bench/interventions-runs.ts).
 */
export const RUN_ERROR = {
  soonest: { ofRepeat: 0.13, ofSaved: 0.31 },
  latest: { ofRepeat: 0.18, ofSaved: 0.36 },
}

export interface RunGain {
  readonly variant: string
  readonly cause: GapCause
  /** A repeat as measured, ms. */
  readonly now: Metric
  /** A repeat without the cause, ms. */
  readonly predicted: Metric
}

/** The time of a repeat by the host's clock. */
export function repeatTime(placed: PlacedTrace, variant: string): Metric {
  const windows = repeatWindows(placed.trace, placed.trace.strings.indexOf(variant))
  return timeMetric(
    placed,
    variant,
    windows.map((window) => lengthNs(placed, window)),
  )
}

const lengthNs = ({ startNs, endNs }: PlacedTrace, window: number): number =>
  (endNs[window] ?? Number.NaN) - (startNs[window] ?? Number.NaN)

function timeMetric({ trace }: PlacedTrace, variant: string, samplesNs: readonly number[]): Metric {
  const stepNs = trace.clocks.find(({ kind }) => kind === 'host')?.stepNs ?? 0
  return summarise({
    name: 'repeat-ms',
    variant,
    unit: 'ms',
    origin: 'host-clock',
    samples: samplesNs.map((timeNs) => timeNs / NS_PER_MS),
    systematic: stepNs / NS_PER_MS,
    range: [0, Infinity],
  })
}

/** A counted repeat that can be replayed. */
interface Repeat {
  readonly lengthNs: number
  /** The device’s own work. */
  readonly busyNs: number
  readonly replay: Replay
}

/** The repeats of a run, each read once. */
export class RunReplays {
  readonly #placed: PlacedTrace
  readonly #repeats = new Map<string, readonly Repeat[] | string>()

  constructor(placed: PlacedTrace) {
    this.#placed = placed
  }

  /**
   * A sentence where the variant can't be replayed; null where nothing is known to go with the
   * cause.
   */
  without(variant: string, cause: GapCause): RunGain | string | null {
    const removed = TAKES[cause]?.map((each) => ({ cause: each, code: null }))
    if (!removed) return null
    const repeats = madeOnce(this.#repeats, variant, () => this.#read(variant))
    if (typeof repeats === 'string') return repeats
    const played = repeats.map(({ replay, lengthNs: nowNs, busyNs }) => {
      const savedNs = replay.replayedNs - replay.without(removed).stepNs
      const errorNs = ({ ofRepeat, ofSaved }: { readonly ofRepeat: number; readonly ofSaved: number }) =>
        Math.min(ofRepeat * nowNs, ofSaved * savedNs)
      const likely = nowNs - savedNs
      // The device can't do its work in less.
      const low = Math.max(likely - errorNs(RUN_ERROR.soonest), Math.min(likely, busyNs))
      return { likely, low, high: likely + errorNs(RUN_ERROR.latest) }
    })
    const metric = (which: 'likely' | 'low' | 'high') =>
      timeMetric(
        this.#placed,
        variant,
        played.map((each) => each[which]),
      )
    const { low } = metric('low')
    const { high } = metric('high')
    const predicted: Metric = { ...metric('likely'), low, high, origin: 'derived' }
    return { variant, cause, now: repeatTime(this.#placed, variant), predicted }
  }

  #read(variant: string): readonly Repeat[] | string {
    const { trace } = this.#placed
    const repeats: Repeat[] = []
    for (const window of repeatWindows(trace, trace.strings.indexOf(variant))) {
      const read = readRepeat(this.#placed, window)
      if (typeof read === 'string') return read
      const replay = new Replay(read)
      if (!agreesWithRecord(replay)) return 'Its replay does not reproduce its recorded times.'
      const busyNs = read.program.work.reduce((sum, own) => sum + own.lengthNs, 0)
      repeats.push({ lengthNs: lengthNs(this.#placed, window), busyNs, replay })
    }
    return repeats.length > 0 ? repeats : 'No counted repeat of it was recorded.'
  }
}

/** How a prediction fared. Which branch it is rests on intervals, never on two medians. */
export type Outcome = 'as-predicted' | 'faster' | 'slower' | 'not-decided' | 'no-gain'

export interface Tested {
  readonly outcome: Outcome
  /** The mended variant's time of a repeat, ms. */
  readonly measured: Metric
  /** Why it is not decided; '' where it is. */
  readonly why: string
}

/** `measured`: a repeat of the variant that goes without the cause. */
export function testPrediction(
  { now, predicted }: Pick<RunGain, 'now' | 'predicted'>,
  measured: Metric,
): Tested {
  const tested = (outcome: Outcome, why = ''): Tested => ({ outcome, measured, why })
  const gain = differenceOf(now, measured)
  const against = differenceOf(predicted, measured)
  if (gain.verdict === 'unknown') return tested('not-decided', gain.why)
  if (gain.verdict === 'more' || gain.verdict === 'same') return tested('no-gain')
  if (gain.verdict === 'undecided')
    return tested('not-decided', 'the intervals with the cause and without it overlap')
  if (against.verdict === 'unknown') return tested('not-decided', against.why)
  if (against.verdict === 'less') return tested('faster')
  if (against.verdict === 'more') return tested('slower')
  const [low, high] = [predicted.low ?? -Infinity, predicted.high ?? Infinity]
  const isWithin = (measured.low ?? -Infinity) >= low && (measured.high ?? Infinity) <= high
  if (isWithin && differenceOf(now, predicted).verdict === 'undecided')
    return tested('not-decided', 'the predicted range includes no gain')
  if (isWithin) return tested('as-predicted')
  return tested('not-decided', 'the measured interval is partly outside the predicted one')
}
