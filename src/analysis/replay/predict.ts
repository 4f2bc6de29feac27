/**
 * Predicts a step without a cause. The step is the mean of those in the program, from the end of
 * the first to the end of the last, host and device: so that what runs ahead is not counted twice.
 */
import { median } from '../../base/stats'
import { tf32Ratio } from '../tables/peaks'
import type { Cause } from './causes'
import { columnOf, play, type Edit, type PlayLog } from './play'
import type { Program } from './program'
import type { ReadProgram } from './read-program'
import { isFloat32, isFunction, without, type Reading, type Removed } from './without'

/** Mean step, ns, of ends over one round or several: of the last round. */
function stepNs(endsNs: readonly number[], steps: number): number {
  const last = endsNs.at(-1) ?? Number.NaN
  if (steps === 1) return last - (endsNs.at(-2) ?? 0)
  return (last - (endsNs[endsNs.length - steps] ?? Number.NaN)) / (steps - 1)
}

/**
 * A round to fill the queues, and the one that is measured. A single step is played once more: its
 * successor is not recorded.
 */
export const roundsOf = (steps: number): number => (steps === 1 ? 3 : 2)

/**
 * The profiler adds this to a recorded event, ns: to an operator or call, and to a function of
 * Python.
 */
const EVENT_NS = { call: 4_000, code: 1_000 }
/** This share of a stretch is left at least when the profiler's part is taken off. */
const LEAST_SHARE = 0.2
/**
 * Share of its profiled time that dispatch takes without the profiler: the median of 13 loops on an
 * H200 in which it sets the pace (0.34 to 0.68 in 38). The share varies less than the time per
 * event, since a host that is slow for the program is as slow for its profiler.
 */
const DISPATCH = 0.52
/**
 * How much the shares vary, as logarithms. Where the usual ones do not explain the step, all move
 * by as many spreads: upward by two, to 0.64 for dispatch and 2.2 for the rest, since batches that
 * NumPy stacked took 1.9 times as long as in their profile (replay-sampling). Downward by eight, to
 * 0.23 and 0.04, since pure Python under `with_stack` took a ninth (json-logging). Spreads of 0.1
 * to 0.2 for dispatch and 0.3 to 0.5 for the rest predict the pairs of bench/interventions alike.
 */
const SPREAD = { dispatch: 0.1, rest: 0.4 }
const MOST_SPREADS = { quicker: 8, slower: 2 }

/** Times without the profiler, as shares of those in the profile. */
interface Slowdown {
  /** 1: without the time that the profiler adds to each event; 0: with it. */
  readonly events: number
  /** Dispatch and reads, and how late their work begins on an empty stream. */
  readonly dispatch: number
  /** The rest of the host's time, arrivals of batches, and pageable copies. */
  readonly rest: number
}
const NONE: Slowdown = { events: 0, dispatch: 1, rest: 1 }
/** Finding it takes up to 27 plays, which a page need not repeat. */
export interface Calibration {
  readonly slowdown: Slowdown
  /** The step that it gives, before all times are scaled. */
  readonly ownNs: number
}
const slowed = (spreads: number): Slowdown => ({
  events: 1,
  dispatch: DISPATCH * Math.exp(SPREAD.dispatch * spreads),
  rest: Math.exp(SPREAD.rest * spreads),
})

/** The program as it is without the profiler. */
function lessProfiler({ stretches, work }: Program, edit: Edit, slowdown: Slowdown): Edit {
  const { events, dispatch, rest } = slowdown
  if (slowdown === NONE) return edit
  const hostNs = columnOf(stretches, ({ lengthNs, cause }, at) => {
    const ns = edit.hostNs?.[at] ?? lengthNs
    if (cause === 'dispatch' || cause === 'read-back') return dispatch * ns
    const eventNs = events * (cause === 'host-code' ? EVENT_NS.code : EVENT_NS.call)
    return rest * Math.max(LEAST_SHARE * ns, ns - eventNs)
  })
  const arrivals = rest * (edit.arrivals ?? 1)
  const latencyNs = columnOf(work, ({ latencyNs }, at) => dispatch * (edit.latencyNs?.[at] ?? latencyNs))
  if (rest === 1) return { ...edit, hostNs, latencyNs, arrivals }
  const workNs = columnOf(work, ({ lengthNs, waitNs, cause }, at) => {
    const ns = edit.workNs?.[at] ?? lengthNs - waitNs
    return cause === 'pageable-copies' ? rest * ns : ns
  })
  return { ...edit, hostNs, latencyNs, workNs, arrivals }
}

/**
 * How far measured steps were below and above what the replay gave, as shares of a step: 148 pairs
 * of bench/interventions, recorded twice, and 13 public programs (known-profiles.test.ts), on an
 * H200. With the step timed without a profiler 13.1 % below (replay-sampling) and 10.1 % above
 * (heads-one-by-one, loader-two-workers). A read may take operators with it that only it uses: then
 * 20.3 % below (prints-the-loss). Alone 28 % below (replay-sampling), and above 29.4 % where the
 * host's own time is removed (adamw_loop), else 13.6 (progress-bar).
 *
 * A step that is longer than the file explains (pads-in-collate, 16 % below) may be so because of
 * what is removed: `without` allows for that.
 *
 * Outside are six pairs in the first recording and nine in the second by more than 1 % of the step.
 * Most changed their pace between two measurements by as much (cache-by-cat, tiles-of-a-volume).
 * The others are iou-per-class (12.8 % above: what replaces its reads has kernels of its own),
 * synchronize-before-heatmaps (15.2 % above, slower without its wait), towers-on-two-streams (17.3
 * % above in the second: kernels that overlap more take longer), and alone json-logging (65.9 %
 * above: pure Python with stacks took nine times as long) and spectrograms (49.1 % below: its
 * loaders were quicker in the profile).
 */
const KNOWN_ERROR = {
  timed: { soonest: 0.14, soonestOfReads: 0.21, latest: 0.1, latestOfHost: 0.1 },
  alone: { soonest: 0.29, soonestOfReads: 0.29, latest: 0.14, latestOfHost: 0.3 },
}
/**
 * The errors are larger where several threads launch work, since their waits for each other are
 * inferred: 31 pairs, recorded twice, measured up to 31.1 % below (metrics-hold-the-lock) and 11.5
 * % above (features-by-way-of-the-host). A step that gets much shorter may leave 0.37 of the least
 * (critics-in-two-threads).
 */
const OF_THREADS = { soonest: 0.32, latest: 0.12, leastOfStep: 0.35 }
const OF_HOST: readonly Cause[] = ['host-code', 'dispatch']
/**
 * Errors of pairs of loops, by what is known of the step without the profiler, and of pages.
 * `npm run bench -- interventions` fails where they are others.
 */
export const MEASURED_ERROR = {
  timed: { pairs: 148, median: 0.019, most: 0.311 },
  estimated: { pairs: 148, median: 0.031, most: 0.628 },
  alone: { pairs: 148, median: 0.049, most: 0.659 },
  pages: { pairs: 11, median: 0.019, most: 0.106 },
}
/** In so many of the pairs of loops the estimated step is off by no more than this share of it. */
export const MEASURED_ESTIMATE = { of: 'four of five', share: 0.8, within: 0.16 }
/** Without anything left in it, a step is no shorter than a launch. */
const LEAST_STEP_NS = 1_000
/** A step that gets much shorter was off by more of itself: 1.1 ms measured for 1.5 predicted. */
const LEAST_OF_STEP = 0.5
/**
 * A step that nearly vanishes may leave even less: 0.09 ms measured for 0.98 predicted of 18.3
 * (pipeline-each-step of bench/interventions/pages).
 */
const VANISHING = { share: 0.06, least: 0.09 }

/** Host code that takes less of its time. */
export interface Shortened {
  /** By stretch, what is left of its host time: 0 to 1. */
  readonly shares: Float64Array
  /** The least of them. */
  readonly least: number
}

export interface Predicted {
  readonly stepNs: number
  readonly lowNs: number
  readonly highNs: number
}

/** One removal, in its least and its most. */
interface Edits extends Readonly<Record<Reading, Edit>> {
  /** The removal, as JSON. */
  readonly of: string
  /** Both are the same. */
  readonly isOne: boolean
}

function isEqual(a: Edit, b: Edit): boolean {
  const names = Object.keys({ ...a, ...b }) as (keyof Edit)[]
  return names.every((name) => {
    const [one, other] = [a[name], b[name]]
    if (typeof one !== 'object' || typeof other !== 'object') return one === other
    for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) return false
    return true
  })
}

/** A program, and when host and device had done each of its steps. */
export type Recorded = Pick<ReadProgram, 'program' | 'recordedEndsNs'>

export class Replay {
  readonly program: Program
  readonly recordedNs: number
  readonly medianNs: number
  /** Played unchanged, calibrated where the step without a profiler is known. */
  readonly replayedNs: number
  /** A step of the program without the profiler; null: not known. */
  readonly unprofiledNs: number | null
  /** The causes that occur in the program. */
  readonly causes: ReadonlySet<Cause>
  readonly calibration: Calibration
  /** The rest of the calibration, after the host's: a factor on all times. */
  readonly #scale: number

  /** Its name, as the file has it. */
  readonly device: string
  /** Edits of the last removal asked for. */
  #edits: Edits | null = null
  #shortened: { readonly from: Edit; readonly by: Shortened; readonly edit: Edit } | null = null

  constructor(
    { program, recordedEndsNs }: Recorded,
    unprofiledNs: number | null = null,
    device = '',
    calibration: Calibration | null = null,
  ) {
    this.program = program
    this.device = device
    this.unprofiledNs = unprofiledNs
    this.causes = causesIn(program)
    const steps = recordedEndsNs.length
    this.recordedNs = stepNs(recordedEndsNs, steps)
    const lengths = recordedEndsNs
      .map((end, at) => end - (recordedEndsNs[at - 1] ?? 0))
      .slice(steps > 1 ? 1 : 0)
    this.medianNs = median(lengths)
    const slowdown = unprofiledNs === null ? NONE : (calibration?.slowdown ?? this.#calibrated(unprofiledNs))
    const ownNs = calibration?.ownNs ?? this.#unchanged(slowdown)
    this.calibration = { slowdown, ownNs }
    this.#scale = unprofiledNs === null ? 1 : unprofiledNs / ownNs
    this.replayedNs = ownNs * this.#scale
  }

  /**
   * Removing a cause never makes a step longer: what the replay adds by chance is cut.
   * @param shortened where causes are gone as well, it is taken off what they leave
   * @param log of one round more than is measured: of the removal's least
   */
  without(
    removed: readonly Removed[],
    shortened: Shortened | null = null,
    log: PlayLog | null = null,
  ): Predicted {
    const isGone = this.occurs(removed)
    if (!isGone && !shortened && !log)
      return { stepNs: this.replayedNs, lowNs: this.replayedNs, highNs: this.replayedNs }
    const takes = (reading: Reading, into: PlayLog | null = null) => {
      const ns = this.#scale * this.#takes(this.editOf(removed, reading, shortened), into)
      return Math.max(LEAST_STEP_NS, Math.min(this.replayedNs, ns))
    }
    const high = takes('least', log)
    const low = this.#editsOf(removed).isOne ? high : takes('most')
    // Half of what dispatch takes is left where a part of the operators is fused or batched.
    const isPartly = removed.some(({ cause }) => cause === 'dispatch')
    const latestNs = isPartly ? high + (this.replayedNs - high) / 2 : high
    const known = KNOWN_ERROR[this.unprofiledNs === null ? 'alone' : 'timed']
    const ofThreads = this.program.threads > 1 ? OF_THREADS : null
    const isOfHost = shortened !== null || removed.some(({ cause }) => OF_HOST.includes(cause))
    const isOfReads = removed.some(({ cause }) => cause === 'read-back')
    const soonest = Math.max(known[isOfReads ? 'soonestOfReads' : 'soonest'], ofThreads?.soonest ?? 0)
    const latest = Math.max(known[isOfHost ? 'latestOfHost' : 'latest'], ofThreads?.latest ?? 0)
    // Unchanged parts add no error: for code that is shortened, the error is in proportion.
    const errorNs = this.replayedNs * (isGone ? 1 : 1 - (shortened?.least ?? 1))
    // A step that is longer than the file explains may be so because of what is removed.
    const least = low / Math.max(1, this.#scale)
    const leastOf =
      low < VANISHING.share * this.replayedNs ? VANISHING.least : (ofThreads?.leastOfStep ?? LEAST_OF_STEP)
    return {
      stepNs: (low + high) / 2,
      lowNs: Math.max(least * leastOf, least - soonest * errorNs),
      highNs: Math.min(this.replayedNs, latestNs + latest * errorNs),
    }
  }

  /** The edit that leaves the causes out of the program without the profiler. */
  editOf(removed: readonly Removed[], reading: Reading, shortened: Shortened | null = null): Edit {
    const edits = this.#editsOf(removed)
    const edit = reading === 'least' || edits.isOne ? edits.least : edits.most
    if (!shortened) return edit
    if (this.#shortened?.from === edit && this.#shortened.by === shortened) return this.#shortened.edit
    const { stretches } = this.program
    const hostNs = edit.hostNs?.slice() ?? columnOf(stretches, ({ lengthNs }) => lengthNs)
    for (let at = 0; at < hostNs.length; at += 1) hostNs[at] = (shortened.shares[at] ?? 1) * (hostNs[at] ?? 0)
    this.#shortened = { from: edit, by: shortened, edit: { ...edit, hostNs } }
    return this.#shortened.edit
  }

  /** Whoever shortens a block asks for the same removal in each frame. */
  #editsOf(removed: readonly Removed[]): Edits {
    const of = JSON.stringify(removed)
    if (this.#edits?.of === of) return this.#edits
    const edit = (reading: Reading): Edit =>
      lessProfiler(
        this.program,
        removed.length === 0 ? {} : without(this.program, removed, reading, this.device),
        this.calibration.slowdown,
      )
    const [least, most] = [edit('least'), edit('most')]
    this.#edits = { of, least, most, isOne: isEqual(least, most) }
    return this.#edits
  }

  /** A step without the profiler, ns, by what it usually adds. */
  get estimatedNs(): number {
    return this.#unchanged(slowed(0))
  }

  /** From times of the replay to those of the program without the profiler. */
  get scale(): number {
    return this.#scale
  }

  #takes(edit: Edit, log: PlayLog | null = null): number {
    const steps = this.program.stepEndsNs.length
    const rounds = roundsOf(steps)
    const ends = play(this.program, edit, rounds + (log ? 1 : 0), log).stepEndsNs
    return stepNs(ends.slice(0, rounds * steps), steps)
  }

  #unchanged(slowdown: Slowdown): number {
    return this.#takes(lessProfiler(this.program, {}, slowdown))
  }

  /** True: the program has something that the removal takes away. */
  occurs(removed: readonly Removed[]): boolean {
    const { stretches, work, chains } = this.program
    return removed.some((each) => {
      const { cause, code } = each
      if (isFloat32(each)) return tf32Ratio(this.device) !== null && work.some((one) => one.isFloat32)
      if (code !== null) return chains.some((chain) => chain.some((text) => isFunction(text, code)))
      return this.causes.has(cause) || (cause === 'read-back' && stretches.some(({ isRead }) => isRead))
    })
  }

  /**
   * Finds shares with which the replay takes as long as the step without a profiler. Where none do,
   * the device sets the pace: the shares are the usual ones, and all times are scaled.
   */
  #calibrated(unprofiledNs: number): Slowdown {
    const isSlow = (spreads: number) => this.#unchanged(slowed(spreads)) > unprofiledNs
    const { quicker, slower } = MOST_SPREADS
    if (isSlow(-quicker) || !isSlow(slower)) return slowed(0)
    return slowed(search(slower, -quicker, isSlow))
  }
}

function causesIn({ stretches, work }: Program): ReadonlySet<Cause> {
  const causes = new Set<Cause>()
  for (const { cause, isUnrecorded } of stretches) {
    if (cause !== null) causes.add(cause)
    if (isUnrecorded) causes.add('unknown')
  }
  for (const { cause, callbackNs, waitNs } of work) {
    if (cause !== null) causes.add(cause)
    if (callbackNs > 0) causes.add('host-callback')
    if (waitNs > 0) causes.add('late-rank')
  }
  return causes
}

/** Between `from`, where it is too slow, and `to`, where it is not. */
function search(from: number, to: number, isTooSlow: (value: number) => boolean): number {
  let [slow, quick] = [from, to]
  for (let round = 0; round < 24; round += 1) {
    const middle = (slow + quick) / 2
    if (isTooSlow(middle)) slow = middle
    else quick = middle
  }
  return quick
}
