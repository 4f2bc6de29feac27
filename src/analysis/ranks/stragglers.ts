/**
 * Who waited for whom. The last rank to begin a collective is the one that the others wait for in it: from their own start to its. A
 * rank is called late where it is the last in most steps, by more than the clocks leave open and than is worth a name; a rank that is
 * the last now and then, as one of a balanced run must be, is not.
 */
import { median } from '../../base/stats'
import type { Match, MatchMember, RankClock, RankWait } from './types'

/** A match on the common axis. */
export interface TimedMatch {
  readonly match: Match
  readonly members: readonly TimedMember[]
  readonly last: TimedMember
  /** From the start of the last but one to the last's, ns. */
  readonly lateNs: number
  /** What the clocks leave open, ns. */
  readonly boundNs: number
}
export interface TimedMember extends MatchMember {
  readonly startNs: number
  readonly endNs: number
  /** From its start to the last rank's; 0 for the last, and where it had left before. */
  readonly waitNs: number
}

/** The collectives of a step, by the one whose last rank was latest. */
export interface TimedStep {
  readonly step: number
  readonly worst: TimedMatch
}

/** Ranks whose clocks could not be aligned wait for nobody, as far as can be told. By start of the last. */
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
    // Without a root's data, or with it sent early, a rank may have gone before the last came: it did not wait for that one.
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

export function waitsOf(ranks: readonly number[], matches: readonly TimedMatch[]): readonly RankWait[] {
  const waited = new Map(ranks.map((rank) => [rank, 0]))
  for (const { members } of matches)
    for (const { rank, waitNs } of members) waited.set(rank, (waited.get(rank) ?? 0) + waitNs)
  return Array.from(waited, ([rank, ns]) => ({ rank, waitedUs: ns / 1e3 }))
}

/** By `ProfilerStep#`; where files have none by the shortest pattern of operations that repeats. In order. */
export function stepsOf(matches: readonly TimedMatch[]): readonly TimedStep[] {
  const synchronising = matches.filter(({ match }) => match.isSynchronising)
  const isMarked = synchronising.some(({ match }) => markOf(match) >= 0)
  const period = isMarked ? 1 : periodOf(synchronising)
  const steps = new Map<number, TimedMatch>()
  for (const [index, each] of synchronising.entries()) {
    const step = isMarked ? markOf(each.match) : Math.floor(index / period)
    if (step < 0) continue
    const worst = steps.get(step)
    if (!worst || each.lateNs > worst.lateNs) steps.set(step, each)
  }
  return Array.from(steps, ([step, worst]) => ({ step, worst })).sort((a, b) => a.step - b.step)
}

/** Launched in different steps, on a rank that runs ahead: the earliest. */
const markOf = ({ members }: Match): number =>
  members.reduce(
    (first, { collective: { step } }) => (step >= 0 && (first < 0 || step < first) ? step : first),
    -1,
  )

/** How many collectives a step has, if all have the same; 1 where nothing repeats. */
function periodOf(matches: readonly TimedMatch[]): number {
  const names = matches.map(
    ({ match: { operation, sizeBytes, group } }) => `${operation} ${String(sizeBytes)} ${group ?? ''}`,
  )
  for (let period = 1; period <= names.length / 2; period += 1)
    if (names.every((name, index) => index < period || name === names[index - period])) return period
  return 1
}

/** Later by less of a step than this is not worth a name, however surely. Chosen. */
const LEAST_SHARE = 0.01
/** The mean over steps stands so many of its standard errors from 0: chance alone makes a rank the last now and then. */
const LEAST_ERRORS = 2

export interface Straggler {
  readonly rank: number
  readonly medianUs: number
  /** Those in which it was the last by more than the threshold. */
  readonly late: readonly TimedStep[]
}

/** Null: no rank is the last in most steps. */
export function findStraggler(steps: readonly TimedStep[]): Straggler | null {
  if (steps.length < 2) return null
  const ends = steps.map(({ worst }) => worst.last.endNs).sort((a, b) => a - b)
  const stepNs = ((ends.at(-1) ?? 0) - (ends[0] ?? 0)) / (steps.length - 1)
  const isLate = ({ worst: { lateNs, boundNs } }: TimedStep) =>
    lateNs > Math.max(boundNs, LEAST_SHARE * stepNs)
  const byRank = new Map<number, TimedStep[]>()
  for (const step of steps.filter(isLate)) {
    const list = byRank.get(step.worst.last.rank)
    if (list) list.push(step)
    else byRank.set(step.worst.last.rank, [step])
  }
  for (const [rank, late] of byRank) {
    if (late.length * 2 <= steps.length) continue
    if (late.length < steps.length && !isSteady(steps, rank)) return null
    return { rank, late, medianUs: median(late.map(({ worst }) => worst.lateNs)) / 1e3 }
  }
  return null
}

/** How long the others waited for it, less how long it waited for others: above 0 by more than chance. */
function isSteady(steps: readonly TimedStep[], rank: number): boolean {
  const signed = steps.map(({ worst: { last, lateNs } }) => (last.rank === rank ? lateNs : -lateNs))
  const mean = signed.reduce((sum, each) => sum + each, 0) / signed.length
  const variance = signed.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (signed.length - 1)
  return mean > LEAST_ERRORS * Math.sqrt(variance / signed.length)
}
