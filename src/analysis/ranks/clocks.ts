/**
 * Several files on one axis. No rank leaves an all-reduce, an all-gather, a reduce-scatter, an
 * all-to-all or a barrier before all have come, and all leave within the last of the transfer: so
 * their ends say how far two clocks are apart, whichever rank came when. A broadcast, a gather, a
 * reduce and a message do not: some ranks may leave early.
 *
 * For each rank the ends' distances from the reference's are fitted by their median and, where that
 * leaves less than half of the spread, by a straight line (Theil and Sen's, which outliers do not
 * bend). Ends that the fit misses by far are left out; where a fit would have most ranks leave
 * before others came, the files cannot be aligned. A rank that has no collective with the reference
 * is aligned through one that has, bounds added.
 */
import { addTo, madeOnce } from '../../base/lists'
import { median } from '../../base/stats'
import type { Match, Rank, RankClock, RankProblem } from './types'

interface End {
  /** On the rank to be aligned, its file's ns. */
  readonly atNs: number
  /** The time to add, ns, to get the other's end. */
  readonly addNs: number
  /** Durations on both: no end can lie before the other's start. */
  readonly ownNs: number
  readonly otherNs: number
}

interface Fit {
  readonly centreNs: number
  readonly offsetNs: number
  /** ns per ns. */
  readonly drift: number
  readonly boundNs: number
  readonly used: number
  readonly rejected: number
}

/** Hosts whose clocks differ by more are not of one run, or have never been set. */
const FAR_APART_MS = 3_600_000
/** Fewer say nothing of a drift. */
const LEAST_FOR_DRIFT = 4
/** Slopes are taken between all pairs of as many ends, spread over all. */
const MOST_FOR_SLOPES = 200
/** Rejected: farther from the fit than so many robust standard deviations, and than this. */
const OUTLIER = 6
const OUTLIER_NS = 1_000
/** 1 / Φ⁻¹(¾): a median absolute deviation as a standard deviation of the normal distribution. */
const ROBUST = 1.4826

/** Clocks by rank. */
export function alignClocks(ranks: readonly Rank[], matches: readonly Match[]) {
  const problems: RankProblem[] = []
  const shared = sharedMatches(matches)
  const countOf = ({ rank }: Rank) =>
    [...(shared.get(rank)?.values() ?? [])].reduce((sum, { length }) => sum + length, 0)
  const [reference] = ranks.toSorted((a, b) => countOf(b) - countOf(a))
  if (!reference) return { clocks: [], problems }
  const clocks = new Map<number, RankClock>([
    [
      reference.rank,
      {
        rank: reference.rank,
        use: 'reference',
        offsetUs: 0,
        driftPpm: 0,
        boundUs: null,
        used: 0,
        rejected: 0,
        toCommonNs: (ns: number) => ns,
      },
    ],
  ])
  const queue = [reference]
  for (let other = queue.shift(); other; other = queue.shift())
    for (const each of ranks) {
      const common = shared.get(each.rank)?.get(other.rank)
      const otherClock = clocks.get(other.rank)
      if (clocks.has(each.rank) || !common || !otherClock) continue
      const clock = alignRank(each, other, otherClock, reference, common)
      if (!clock) continue
      clocks.set(each.rank, clock)
      queue.push(each)
    }
  for (const each of ranks) {
    if (clocks.has(each.rank)) continue
    clocks.set(each.rank, asFiled(each, reference))
    const has = countOf(each) > 0
    problems.push({
      code: 'not-aligned',
      message: has
        ? `The clock of rank ${String(each.rank)} cannot be aligned: the ends of its collectives do not agree with another rank’s. It may be from another run.`
        : `The clock of rank ${String(each.rank)} cannot be aligned: it has no all-reduce, all-gather, reduce-scatter or barrier in common with another rank.`,
    })
  }
  for (const each of ranks) {
    const apartMs = dayMs(each) - dayMs(reference)
    if (Math.abs(apartMs) > FAR_APART_MS)
      problems.push({
        code: 'far-apart',
        message: `By the time of day in the files, rank ${String(each.rank)} was recorded ${sayHours(apartMs)} ${apartMs > 0 ? 'after' : 'before'} rank ${String(reference.rank)}: they may be from different runs.`,
      })
  }
  return { clocks: ranks.flatMap(({ rank }) => clocks.get(rank) ?? []), problems }
}

/** The zero of its file, ms since 1970; 0: the file has no date. */
const dayMs = ({ placed }: Rank): number => placed.trace.clocks[0]?.originMs ?? 0
const sayHours = (ms: number): string => `${(Math.abs(ms) / 3_600_000).toFixed(1)} h`

/** Synchronising matches of any two ranks, both ways. */
function sharedMatches(matches: readonly Match[]) {
  const shared = new Map<number, Map<number, Match[]>>()
  for (const match of matches) {
    if (!match.isSynchronising) continue
    for (const { rank: a } of match.members)
      for (const { rank: b } of match.members) {
        if (a === b) continue
        const others = madeOnce(shared, a, () => new Map<number, Match[]>())
        addTo(others, b, match)
      }
  }
  return shared
}

/** Null where the ends do not agree. */
function alignRank(
  rank: Rank,
  other: Rank,
  otherClock: RankClock,
  reference: Rank,
  matches: readonly Match[],
): RankClock | null {
  const ends = matches.flatMap(({ members }): readonly End[] => {
    const own = members.find((member) => member.rank === rank.rank)?.collective
    const theirs = members.find((member) => member.rank === other.rank)?.collective
    if (!own || !theirs) return []
    return [
      {
        atNs: own.endNs,
        addNs: otherClock.toCommonNs(theirs.endNs) - own.endNs,
        ownNs: own.endNs - own.startNs,
        otherNs: theirs.endNs - theirs.startNs,
      },
    ]
  })
  const fit = fitEnds(ends)
  if (!fit) return null
  const filed = asFiled(rank, reference)
  const filedAddNs = filed.toCommonNs(0)
  const boundNs = fit.boundNs + 1e3 * (otherClock.boundUs ?? 0)
  const common = {
    rank: rank.rank,
    boundUs: boundNs / 1e3,
    used: fit.used,
    rejected: fit.rejected,
  }
  const atEdges = [ends[0]?.atNs ?? 0, ends.at(-1)?.atNs ?? 0].map((ns) => addAt(fit, ns) - filedAddNs)
  // The time of day is as good: what it is off by lies within what the ends leave open.
  if (Math.max(...atEdges.map(Math.abs)) <= boundNs) return { ...filed, ...common, use: 'file' }
  return {
    ...common,
    use: 'aligned',
    offsetUs: (fit.offsetNs - filedAddNs) / 1e3,
    driftPpm: fit.drift * 1e6,
    toCommonNs: (ns) => ns + addAt(fit, ns),
  }
}

const addAt = ({ centreNs, offsetNs, drift }: Fit, ns: number): number => offsetNs + drift * (ns - centreNs)

/** By the time of day in both files. */
function asFiled(rank: Rank, reference: Rank): RankClock {
  const addNs = (dayMs(rank) - dayMs(reference)) * 1e6
  return {
    rank: rank.rank,
    use: 'none',
    offsetUs: 0,
    driftPpm: 0,
    boundUs: null,
    used: 0,
    rejected: 0,
    toCommonNs: (ns) => ns + addNs,
  }
}

function fitEnds(all: readonly End[]): Fit | null {
  if (all.length === 0) return null
  const flat = fitOnce(all, false)
  const line = all.length >= LEAST_FOR_DRIFT ? fitOnce(all, true) : null
  const fit = line && line.boundNs < flat.boundNs / 2 ? line : flat
  const impossible = all.filter((end) => {
    const missNs = end.addNs - addAt(fit, end.atNs)
    return missNs < -end.ownNs || missNs > end.otherNs
  })
  return impossible.length * 2 > all.length ? null : fit
}

function fitOnce(all: readonly End[], withDrift: boolean): Fit {
  let kept = all
  let fit = shape(kept, withDrift)
  // Twice: without the outliers the fit is better, and knows more of them.
  for (let turn = 0; turn < 2; turn += 1) {
    const misses = all.map((end) => Math.abs(end.addNs - addAt(fit, end.atNs)))
    const limitNs = Math.max(OUTLIER_NS, OUTLIER * ROBUST * median(misses))
    kept = all.filter((_, index) => (misses[index] ?? 0) <= limitNs)
    fit = shape(kept, withDrift)
  }
  const boundNs =
    kept.length === 1
      ? // One end agrees with itself: all that is known is that none left before the other came.
        ((kept[0]?.ownNs ?? 0) + (kept[0]?.otherNs ?? 0)) / 2
      : kept.reduce((most, end) => Math.max(most, Math.abs(end.addNs - addAt(fit, end.atNs))), 0)
  return { ...fit, boundNs, used: kept.length, rejected: all.length - kept.length }
}

function shape(ends: readonly End[], withDrift: boolean): Fit {
  const centreNs = median(ends.map(({ atNs }) => atNs))
  const drift = withDrift ? slopeOf(ends) : 0
  const levels = ends.map(({ atNs, addNs }) => addNs - drift * (atNs - centreNs))
  // The middle of the extremes would make the bound least, and hang on the two worst ends.
  return { centreNs, offsetNs: median(levels), drift, boundNs: 0, used: 0, rejected: 0 }
}

/** Median of the slopes between pairs of ends. */
function slopeOf(ends: readonly End[]): number {
  const every = Math.ceil(ends.length / MOST_FOR_SLOPES)
  const some = ends.filter((_, index) => index % every === 0)
  const slopes: number[] = []
  for (const [index, a] of some.entries())
    for (const b of some.slice(index + 1))
      if (b.atNs !== a.atNs) slopes.push((b.addNs - a.addNs) / (b.atNs - a.atNs))
  return slopes.length === 0 ? 0 : median(slopes)
}
