/**
 * Tells who waited for whom. The last rank to begin a collective is the one that the others wait
 * for in it: from their own start to its. A rank is as late in a step as they all waited for it
 * there, in its collectives together. It is called late if it is the latest in most steps, by more
 * than the clocks leave open and than is worth a name. A rank that is the last now and then, as one
 * of a balanced run must be, is not.
 */
import { addTo } from '../../base/lists'
import { median } from '../../base/stats'
import { total, union } from '../intervals'
import type { Interval } from '../types'
import { findPeriod } from './period'
import type { Match, MatchMember, RankClock } from './types'

/** A match on the common axis. */
export interface TimedMatch {
  readonly match: Match
  readonly members: readonly TimedMember[]
  readonly last: TimedMember
  /** From the start of the last but one to the last's, ns. */
  readonly lateNs: number
  /** The time that the clocks leave open, ns. */
  readonly boundNs: number
}
export interface TimedMember extends MatchMember {
  readonly startNs: number
  readonly endNs: number
  /** From its start to the last rank's; 0 for the last, and where it had left before. */
  readonly waitNs: number
}

/**
 * The units in which lateness is counted: steps, or collectives if neither files nor collectives
 * show steps.
 */
export interface Rounds {
  readonly unit: 'step' | 'collective'
  /** In order. */
  readonly all: readonly Round[]
}
interface Round {
  /** The file's own number, where it has steps; else counted from 0. */
  readonly number: number
  /** By the start of the last rank. */
  readonly matches: readonly TimedMatch[]
}

/**
 * Ranks whose clocks could not be aligned wait for nobody, as far as can be determined. By start of
 * the last.
 */
export function timeMatches(matches: readonly Match[], clocks: readonly RankClock[]): readonly TimedMatch[] {
  const byRank = new Map(clocks.map((clock) => [clock.rank, clock]))
  return matches
    .flatMap((match) => {
      const timed = timeMatch(match, byRank)
      return timed ? [timed] : []
    })
    .sort((a, b) => a.last.startNs - b.last.startNs)
}

function timeMatch(match: Match, clocks: ReadonlyMap<number, RankClock>): TimedMatch | null {
  const placed = match.members.flatMap((member) => {
    const clock = clocks.get(member.rank)
    if (!clock || clock.use === 'none') return []
    const { startNs, endNs } = member.collective
    return [{ ...member, clock, startNs: clock.toCommonNs(startNs), endNs: clock.toCommonNs(endNs) }]
  })
  const byStart = placed.toSorted((a, b) => a.startNs - b.startNs)
  const [last, before] = [byStart.at(-1), byStart.at(-2)]
  if (!last || !before) return null
  const members = placed.map(({ clock: _clock, ...member }): TimedMember => {
    const untilNs = last.startNs
    // Without a root's data, or with it sent early, a rank may have gone before the last came: it
    // did not wait for that one.
    const hasLeft = !match.isSynchronising && member.endNs < untilNs
    return { ...member, waitNs: hasLeft ? 0 : Math.max(0, Math.min(untilNs, member.endNs) - member.startNs) }
  })
  const lastMember = members.find(({ rank }) => rank === last.rank)
  if (!lastMember) return null
  return {
    match,
    members,
    last: lastMember,
    lateNs: last.startNs - before.startNs,
    boundNs: 1e3 * ((last.clock.boundUs ?? 0) + (before.clock.boundUs ?? 0)),
  }
}

/** By rank, over all matches: from its own start to the last rank's, ns. */
export function waitsOf(matches: readonly TimedMatch[]): ReadonlyMap<number, number> {
  const waited = new Map<number, number>()
  for (const { members } of matches)
    for (const { rank, waitNs } of members) waited.set(rank, (waited.get(rank) ?? 0) + waitNs)
  return waited
}

/**
 * By the files' own steps; where they have none, by the period of the collectives. Where those have
 * none that can be seen, each is a round of its own, and no step.
 */
export function roundsOf(matches: readonly TimedMatch[]): Rounds {
  const synchronising = matches.filter(({ match }) => match.isSynchronising)
  if (synchronising.some(({ match }) => markOf(match) >= 0))
    return { unit: 'step', all: grouped(synchronising, ({ match }) => markOf(match)) }
  // A collective with a root is part of a step, too; but if ranks come to it in no fixed order, all
  // of them show no pattern.
  for (const all of [matches, synchronising]) {
    const period = periodOf(all)
    if (!period) continue
    const steps = grouped(all, (_, index) => Math.floor((index - period.offset) / period.length) + 1)
    const first = steps[0]?.number ?? 0
    return {
      unit: 'step',
      all: steps
        .map((step) => ({
          number: step.number - first,
          matches: step.matches.filter(({ match }) => match.isSynchronising),
        }))
        .filter((step) => step.matches.length > 0),
    }
  }
  return { unit: 'collective', all: grouped(synchronising, (_, index) => index) }
}

/** @param numberOf below 0: of none */
function grouped(
  matches: readonly TimedMatch[],
  numberOf: (match: TimedMatch, index: number) => number,
): readonly Round[] {
  const rounds = new Map<number, TimedMatch[]>()
  for (const [index, each] of matches.entries()) {
    const number = numberOf(each, index)
    if (number < 0) continue
    addTo(rounds, number, each)
  }
  return Array.from(rounds, ([number, own]) => ({ number, matches: own })).sort((a, b) => a.number - b.number)
}

function periodOf(matches: readonly TimedMatch[]) {
  const names = matches.map(
    ({ match: { operation, sizeBytes, group } }) => `${operation} ${String(sizeBytes)} ${group ?? ''}`,
  )
  const pauses = Float64Array.from(matches, ({ last }, index) => {
    const before = matches[index - 1]
    return before
      ? Math.max(0, last.startNs - Math.max(...before.members.map(({ endNs }) => endNs)))
      : Number.NaN
  })
  return findPeriod(names, pauses)
}

/** Launched in different steps, on a rank that runs ahead: the earliest. */
const markOf = ({ members }: Match): number =>
  members.reduce(
    (first, { collective: { step } }) => (step >= 0 && (first < 0 || step < first) ? step : first),
    -1,
  )

/** Later by less of a step than this is not worth a name, however surely. Chosen. */
const LEAST_SHARE = 0.01
/**
 * A single pause that takes this share of all recorded time is worth a name, as a cause of a
 * device's is.
 */
const PAUSE_SHARE = 0.05
/**
 * The mean over steps stands so many of its standard errors from 0: chance alone makes a rank the
 * last now and then.
 */
const LEAST_ERRORS = 2

export interface Straggler {
  readonly rank: number
  readonly unit: Rounds['unit']
  /**
   * Those in which it was the latest, by more than the threshold; with the collectives that the
   * others waited in for it.
   */
  readonly late: readonly LateRound[]
  /** The median of these. */
  readonly medianUs: number
  readonly totalUs: number
}

interface LateRound extends Round {
  readonly lateNs: number
}

/** True: the clocks tell that the others waited. */
const isTold = ({ lateNs, boundNs }: TimedMatch): boolean => lateNs > boundNs

/**
 * By rank: for how long all others waited for it. Collectives that are under way together wait
 * together: each moment counts once.
 */
function latenessOf({ matches }: Round): ReadonlyMap<number, number> {
  const waits = new Map<number, Interval[]>()
  for (const match of matches) {
    if (!isTold(match)) continue
    const { rank, startNs } = match.last
    addTo(waits, rank, { start: startNs - match.lateNs, end: startNs })
  }
  return new Map([...waits].map(([rank, own]) => [rank, total(union(own))]))
}

/** Null: no rank is the latest in most rounds, or holds the others up for long in one. */
export function findStraggler({ unit, all }: Rounds): Straggler | null {
  if (all.length < 2) return null
  const ends = all.map(({ matches }) => matches.at(-1)?.last.endNs ?? 0).sort((a, b) => a - b)
  const roundNs = ((ends.at(-1) ?? 0) - (ends[0] ?? 0)) / (all.length - 1)
  const lateness = all.map((round) => latenessOf(round))
  const byRank = new Map<number, LateRound[]>()
  for (const [index, { number, matches }] of all.entries()) {
    const [rank, lateNs] = [...(lateness[index] ?? [])].reduce(
      (most, each) => (each[1] > most[1] ? each : most),
      [-1, 0],
    )
    if (lateNs <= LEAST_SHARE * roundNs) continue
    const own = matches.filter((match) => match.last.rank === rank && isTold(match))
    addTo(byRank, rank, { number, matches: own, lateNs })
  }
  for (const [rank, late] of byRank) {
    if (late.length * 2 <= all.length) continue
    if (late.length < all.length && !isSteady(lateness, rank)) return null
    const us = late.map(({ lateNs }) => lateNs / 1e3)
    return { rank, unit, late, medianUs: median(us), totalUs: us.reduce((sum, each) => sum + each, 0) }
  }
  return longestPause(unit, byRank, roundNs * (all.length - 1))
}

/** One round in which a rank held the others up for much of all the time; null: there is none. */
function longestPause(
  unit: Rounds['unit'],
  byRank: ReadonlyMap<number, readonly LateRound[]>,
  wholeNs: number,
): Straggler | null {
  let found: Straggler | null = null
  for (const [rank, late] of byRank)
    for (const round of late) {
      const us = round.lateNs / 1e3
      if (round.lateNs < PAUSE_SHARE * wholeNs || us <= (found?.totalUs ?? 0)) continue
      found = { rank, unit, late: [round], medianUs: us, totalUs: us }
    }
  return found
}

/**
 * How long the others waited for it, less how long they waited for the latest of the rest: above 0
 * by more than chance.
 */
function isSteady(lateness: readonly ReadonlyMap<number, number>[], rank: number): boolean {
  const signed = lateness.map((each) => {
    const others = [...each].filter(([other]) => other !== rank).map(([, ns]) => ns)
    return (each.get(rank) ?? 0) - Math.max(0, ...others)
  })
  const mean = signed.reduce((sum, each) => sum + each, 0) / signed.length
  const variance = signed.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (signed.length - 1)
  return mean > LEAST_ERRORS * Math.sqrt(variance / signed.length)
}
