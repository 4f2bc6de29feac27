/** What several ranks come to, in a sentence: one place for the page and the command line. */
import { CAUSES } from '../../trace/gap-causes'
import { durationText } from '../../base/figures'
import type { StragglerSpan, StragglerCause, RankClock, RankProblem } from './types'

export interface RankVerdict {
  readonly kind: 'late' | 'balanced' | 'cannot-tell'
  readonly sentence: string
  /** What it rests on; '' where the sentence says all. */
  readonly note: string
}

export interface RankFacts {
  readonly late: StragglerSpan | null
  readonly lateEvidence: string
  readonly alignment: readonly Pick<RankClock, 'use'>[]
  readonly problems: readonly RankProblem[]
  /** Matched collectives and messages, and the steps they are of. */
  readonly matches: number
  readonly steps: number
}

const causeWords = (cause: StragglerCause): string =>
  cause === 'more-work' ? 'its kernels and copies take longer' : CAUSES[cause].delays

/** Fewer say nothing of a rank that is late again and again. */
const LEAST_STEPS = 2

export function rankVerdict(facts: RankFacts): RankVerdict {
  const { late, lateEvidence, alignment, problems, matches, steps } = facts
  const cannot = (why: string): RankVerdict => ({
    kind: 'cannot-tell',
    sentence: `Which rank is late cannot be told: ${why}.`,
    note: '',
  })
  if (late)
    return {
      kind: 'late',
      sentence: `Rank ${String(late.rank)} is late by ${durationText(late.medianUs * 1e3)} (median) in ${saySteps(late.steps)}, and the others wait for it: ${causeWords(late.cause)}.`,
      note: lateEvidence,
    }
  if (matches === 0 && !problems.some(({ code }) => code === 'not-aligned'))
    return cannot('no collective of one rank is found on another')
  if (alignment.filter(({ use }) => use !== 'none').length < 2)
    return cannot('the clocks of their files cannot be aligned')
  if (steps < LEAST_STEPS)
    return cannot(
      `the files have ${steps === 0 ? 'no step' : 'only one step'} with a collective that all ranks wait in`,
    )
  return {
    kind: 'balanced',
    sentence: problems.some(({ code }) => code === 'missing-ranks')
      ? 'None of these ranks is late: none keeps the others waiting in most steps.'
      : 'No rank is late: none keeps the others waiting in most steps.',
    note: `${String(matches)} collectives and messages of ${String(steps)} steps were found on more than one rank and compared.`,
  }
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
