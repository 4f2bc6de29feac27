/** The verdict on several ranks, in a sentence: one place for the page and the command line. */
import { CAUSES } from '../../trace/gap-causes'
import { durationText } from '../../base/figures'
import type { Coverage } from '../coverage'
import { launchesWords } from '../diagnosis-words'
import type { Rounds } from './stragglers'
import type { StragglerSpan, StragglerCause, RankClock, RankProblem } from './types'

export interface RankVerdict {
  readonly kind: 'late' | 'balanced' | 'cannot-tell'
  readonly sentence: string
  /**
   * Says what the late rank's host did meanwhile, and in which of the reader's functions; '' if the
   * file does not show it.
   */
  readonly doing: string
  /** Says what it rests on; '' if the sentence says all. */
  readonly note: string
}

export interface RankFacts {
  readonly late: StragglerSpan | null
  readonly lateEvidence: string
  readonly alignment: readonly Pick<RankClock, 'use'>[]
  readonly problems: readonly RankProblem[]
  readonly lateDoing: string
  /** Ranks whose files lack more than a little. */
  readonly partial: readonly { readonly rank: number; readonly coverage: Coverage }[]
  /** Matched collectives and messages. */
  readonly matches: number
  /** Steps, or collectives, that were compared, and how many of them the late rank is late in. */
  readonly rounds: { readonly unit: Rounds['unit']; readonly count: number; readonly late: number }
}

/** To follow a colon. */
const causeWords = (cause: StragglerCause): string =>
  cause === 'more-work'
    ? 'its kernels and copies take longer'
    : CAUSES[cause].means.replace(/^./, (first) => first.toLowerCase()).replace(/\.$/, '')

/** Possible reasons for a pause in which nothing is recorded. */
const PAUSE =
  'No host activity is recorded then. Such pauses are often Python’s garbage collector, which stops each rank at a different moment: call gc.freeze() after the first steps, or gc.disable() and gc.collect() at the same steps on all ranks.'

/** Fewer say nothing of a rank that is late again and again. */
const LEAST_ROUNDS = 2

const us = (value: number): string => durationText(value * 1e3)

export function rankVerdict(facts: RankFacts): RankVerdict {
  const { late, lateEvidence, lateDoing, partial, alignment, problems, matches, rounds } = facts
  const lost = partial
    .map(({ rank, coverage }) => `${launchesWords(coverage)} of rank ${String(rank)}`)
    .join(', ')
  const cannot = (why: string): RankVerdict => ({
    kind: 'cannot-tell',
    sentence: `Which rank is late cannot be determined: ${why}.`,
    doing: '',
    note: '',
  })
  const isOfTwo = alignment.length === 2 && !problems.some(({ code }) => code === 'missing-ranks')
  const whoWaits = isOfTwo ? 'the other waits' : 'the others wait'
  if (late)
    return {
      kind: 'late',
      sentence: `${lost === '' ? '' : `${lost} have no record on a GPU. In what is recorded: `}${lateWords(late, rounds)}, and ${whoWaits} for it: ${causeWords(late.cause)}.`,
      doing: [lateDoing, late.cause === 'unknown' ? PAUSE : ''].filter(Boolean).join(' '),
      note: lateEvidence,
    }
  if (matches === 0 && !problems.some(({ code }) => code === 'not-aligned'))
    return cannot('no collective appears on more than one rank')
  if (alignment.filter(({ use }) => use !== 'none').length < 2)
    return cannot('the clocks of their files cannot be aligned')
  if (rounds.count < LEAST_ROUNDS)
    return cannot(
      `the files have ${rounds.count === 0 ? 'no step' : 'only one step'} with a collective that all ranks wait in`,
    )
  if (lost !== '') return cannot(`${lost} have no record on a GPU`)
  const who = problems.some(({ code }) => code === 'missing-ranks') ? 'None of these ranks' : 'No rank'
  return {
    kind: 'balanced',
    sentence: `${who} is late: none keeps the others waiting in most ${rounds.unit}s.`,
    doing: '',
    note: `${String(matches)} collectives and messages${rounds.unit === 'step' ? ` of ${String(rounds.count)} steps` : ''} were found on more than one rank and compared.`,
  }
}

function lateWords(
  { rank, steps, medianUs, totalUs }: StragglerSpan,
  { count, late }: RankFacts['rounds'],
): string {
  const who = `Rank ${String(rank)} is late by`
  return steps === null || medianUs === null
    ? `${who} ${us(totalUs)} in ${String(late)} of ${String(count)} collectives together`
    : steps.length === 1
      ? `${who} ${us(totalUs)} in ${saySteps(steps)}`
      : `${who} ${us(medianUs)} a step (median), ${us(totalUs)} in all, in ${saySteps(steps)}`
}

const MOST_RANGES = 6

const saySteps = (steps: readonly number[]): string =>
  `step${steps.length === 1 ? '' : 's'} ${rankListText(steps)}`

/** '4', '3 to 8', '0, 2 and 4 to 7'. They ascend. */
export function rankListText(numbers: readonly number[]): string {
  const ranges: { first: number; last: number }[] = []
  for (const each of numbers) {
    const range = ranges.at(-1)
    if (range?.last === each - 1) range.last = each
    else ranges.push({ first: each, last: each })
  }
  const shown = ranges
    .slice(0, MOST_RANGES)
    .flatMap(({ first, last }) =>
      last === first
        ? [String(first)]
        : last === first + 1
          ? [String(first), String(last)]
          : [`${String(first)} to ${String(last)}`],
    )
  const rest = ranges.slice(MOST_RANGES).reduce((sum, { first, last }) => sum + last - first + 1, 0)
  const all = rest > 0 ? [...shown, `${String(rest)} more`] : shown
  const last = all.pop() ?? ''
  return all.length > 0 ? `${all.join(', ')} and ${last}` : last
}
