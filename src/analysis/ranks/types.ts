/**
 * Questions to several ranks' profiles, and the answers. Plain data. Times in µs if a name says so,
 * else ns.
 */
import type { Collective } from '../../trace/collectives'
import type { PlacedTrace } from '../../trace/place'
import type { Trace } from '../../trace/schema'
import type { DeviceSummary } from '../devices'
import type { IdleReasons } from '../idle-reasons'
import type { GapCause } from '../../trace/gaps'

/** An opened file. */
export interface RankInput {
  /** Its name or path, as messages quote it. */
  readonly file: string
  readonly trace: Trace
}

export interface Rank {
  readonly rank: number
  /** Null where only the file's name said the rank. */
  readonly worldSize: number | null
  readonly file: string
  readonly placed: PlacedTrace
  readonly devices: readonly DeviceSummary[]
  /** Null: a run of the lab's own. */
  readonly reasons: IdleReasons | null
  /** The device that communicates, else the busiest; null where the file has none. */
  readonly device: DeviceSummary | null
  readonly collectives: readonly RankCollective[]
}

/** One collective on one rank, in that file's own time. */
export interface RankCollective extends Collective {
  readonly startNs: number
  readonly endNs: number
  readonly sizeBytes: number | null
  /** Number of the step that it was launched in; -1: in none. */
  readonly step: number
}

export interface MatchMember {
  readonly rank: number
  readonly collective: RankCollective
}

/** One collective, or message, on the ranks that it was found on: two at least. */
export interface Match {
  readonly operation: string
  readonly group: string | undefined
  readonly sizeBytes: number | null
  /** By rank. */
  readonly members: readonly MatchMember[]
  /**
   * No rank can leave before all have come: its ends say how the clocks stand, and its last rank
   * kept the others waiting.
   */
  readonly isSynchronising: boolean
}

/** How a rank's times were put on the axis of the reference rank. */
export interface RankClock {
  readonly rank: number
  /**
   * 'reference': its clock is the axis. 'file': the time of day in the files, which the
   * collectives' ends agree with within the bound. 'aligned': moved so that they agree. 'none':
   * could not be checked; the files' time of day.
   */
  readonly use: 'reference' | 'file' | 'aligned' | 'none'
  /** The time added to the file's time of day, at the middle of its collectives, µs. */
  readonly offsetUs: number
  /** Parts in 10^6; 0 where the ends show none. */
  readonly driftPpm: number
  /**
   * Largest distance, µs, of the matched ends from where the fit puts them, outliers apart: how
   * well the ends agree. What all ends have in common (a rank that always leaves first) it does not
   * show. Null where nothing was compared.
   */
  readonly boundUs: number | null
  /** Matched ends that the fit rests on, and those it left out. */
  readonly used: number
  readonly rejected: number
  /** That file's ns to the common axis. */
  readonly toCommonNs: (ns: number) => number
}

export interface RankProblem {
  readonly code:
    | 'no-rank'
    | 'same-rank'
    | 'other-run'
    | 'missing-ranks'
    | 'rank-from-name'
    | 'too-few-ranks'
    | 'no-collectives'
    | 'mismatch'
    | 'not-aligned'
    | 'far-apart'
  /** One sentence for a person. */
  readonly message: string
}

/**
 * `more-work`: its kernels and copies before the collective took longer. Else the cause of its
 * device's idle time.
 */
export type StragglerCause = GapCause | 'more-work'

export interface StragglerSpan {
  readonly rank: number
  /**
   * In which it is late: the files' own numbers, `ProfilerStep#` or of ranges that are numbered
   * like steps; where they have none, counted from 0, by the period of the collectives. Null: they
   * show no steps.
   */
  readonly steps: readonly number[] | null
  /**
   * Median over these steps of how long the others waited for it, all collectives of a step
   * together; null where there are none.
   */
  readonly medianUs: number | null
  /** The same, summed. */
  readonly totalUs: number
  readonly cause: StragglerCause
}
