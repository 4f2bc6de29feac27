/**
 * Several ranks' profiles, asked together: which ranks they are, how their clocks stand, who waited
 * for whom and why, and all of them as one trace. Never throws: what does not belong or cannot be
 * determined is a problem with a sentence, and what can be shown is shown.
 */
import type { Trace } from '../../trace/schema'
import { isPartial } from '../coverage'
import { alignClocks } from './clocks'
import { joinRanks } from './join'
import { causeOf } from './straggler-cause'
import { findStraggler, roundsOf, timeMatches, waitsOf, type TimedMatch } from './stragglers'
import { matchCollectives } from './matching'
import { findRanks } from './rank-files'
import type { StragglerSpan, Rank, RankClock, RankInput, RankProblem } from './types'
import { rankVerdict, type RankVerdict } from './verdict'

export { rankName, clockText } from './join'
export { rankListText } from './verdict'
export type { RankInput } from './types'
export type { RankVerdict } from './verdict'

interface RankSummary {
  readonly rank: number
  readonly file: string
  /** One of `files[].devices[].id`; null: the file has none. */
  readonly device: string | null
  readonly busyRatio: number | null
  readonly workRatio: number | null
  /** Null where its clock could not be aligned, or there is no other rank. */
  readonly waitedUs: number | null
}

export interface RanksAnalysis {
  /** By rank; files that were left out are in `problems`. */
  readonly ranks: readonly RankSummary[]
  readonly late: StragglerSpan | null
  /** Why it is late, in a sentence; '' where none is. */
  readonly lateEvidence: string
  /** In words. */
  readonly verdict: RankVerdict
  readonly alignment: readonly RankClock[]
  readonly problems: readonly RankProblem[]
  /** On the common axis, by the start of the last rank. */
  readonly matches: readonly TimedMatch[]
  /** All ranks on one axis; null where there is none. */
  readonly joined: Trace | null
}

export function analyseRanks(inputs: readonly RankInput[]): RanksAnalysis {
  const found = findRanks(inputs)
  const { ranks } = found
  const matched = matchCollectives(ranks)
  const aligned = alignClocks(ranks, matched.matches)
  const isAlone = ranks.length < 2
  const matches = timeMatches(matched.matches, aligned.clocks)
  const rounds = roundsOf(matches)
  const late = findStraggler(rounds)
  const cause = late && causeOf(late, ranks, matches)
  const onAxis = new Set(aligned.clocks.flatMap(({ rank, use }) => (use === 'none' ? [] : [rank])))
  const waits = waitsOf(matches)
  const problems = [
    ...found.problems,
    ...matched.problems,
    ...(isAlone ? [] : nothingMatched(ranks, matched.matches.length)),
    ...(isAlone || matched.matches.length === 0 ? [] : aligned.problems),
  ]
  const foundLate = late &&
    cause && {
      rank: late.rank,
      steps: late.unit === 'step' ? late.late.map(({ number }) => number) : null,
      medianUs: late.unit === 'step' ? late.medianUs : null,
      totalUs: late.totalUs,
      cause: cause.cause,
    }
  const lateEvidence = cause?.evidence ?? ''
  return {
    ranks: ranks.map(({ rank, file, device }) => ({
      rank,
      file,
      device: device?.id ?? null,
      busyRatio: device?.busyRatio ?? null,
      workRatio: device?.workRatio ?? null,
      waitedUs: onAxis.size > 1 && onAxis.has(rank) ? (waits.get(rank) ?? 0) / 1e3 : null,
    })),
    late: foundLate,
    lateEvidence,
    verdict: rankVerdict({
      late: foundLate,
      lateEvidence,
      lateDoing: cause?.doing ?? '',
      partial: partialRanks(ranks),
      rounds: { unit: rounds.unit, count: rounds.all.length, late: late?.late.length ?? 0 },
      alignment: aligned.clocks,
      problems,
      matches: matched.matches.length,
    }),
    alignment: aligned.clocks,
    problems,
    matches,
    joined: joinRanks(ranks, aligned.clocks, matches),
  }
}

/** Those of whose launches more than a little has no record. */
const partialRanks = (ranks: readonly Rank[]) =>
  ranks.flatMap(({ rank, reasons }) => {
    const coverage = reasons?.records.coverage ?? null
    return coverage && isPartial(coverage, 0) ? [{ rank, coverage }] : []
  })

function nothingMatched(ranks: readonly Rank[], matches: number): readonly RankProblem[] {
  if (matches > 0) return []
  const silent = ranks.filter(({ collectives }) => collectives.length === 0)
  return [
    {
      code: 'no-collectives',
      message:
        silent.length > 0
          ? `There are no collectives in the profile of rank ${silent.map(({ rank }) => String(rank)).join(', ')}: nothing ties the ranks together.`
          : 'No collective appears on more than one rank: the files may be from different runs.',
    },
  ]
}
