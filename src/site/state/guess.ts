/** What became of a guess: a step's figure against that of the lesson's own run, by the bounds of the two. Loaded with the steps. */
import { differenceOf } from '../../analysis/difference'
import { findMetric, type Metric, type Report } from '../../trace/report'
import type { StepGuess } from '../../lessons/lesson'
import type { Said } from './lesson-store'

/** Where all that the intervals allow is less than this factor, nobody would call it more or less, also where they are apart. */
const SAME_WITHIN = 1.05
/** Intervals that overlap are 'the same' up to this factor. Where they allow a larger one, the runs decide nothing. */
const DECIDED_WITHIN = 1.5

export type GuessOutcome =
  | { readonly was: Said }
  /** Why the runs do not decide it: a sentence. */
  | { readonly was: null; readonly why: string }

const undecided = (why: string): GuessOutcome => ({ was: null, why })

type Guess = Omit<StepGuess, 'question' | 'answers'>

/** What a guess is held against: in the lesson's own run, unless the guess names a figure of the same run. */
export const againstOf = (guess: Guess, before: Report | null, after: Report): Metric | undefined => {
  const { name, variant } = guess.than ?? guess
  return findMetric((guess.than ? after : before)?.metrics ?? [], name, variant)
}

/** @param before the lesson's own run; null before there is one */
export function outcomeOf(guess: Guess, before: Report | null, after: Report): GuessOutcome {
  const against = guess.than ? after : before
  if (!against) return undecided('The lesson’s own run was not made yet.')
  if (!against.validity.valid || !after.validity.valid)
    return undecided('One of the two runs does not count.')
  const a = againstOf(guess, before, after)
  const b = findMetric(after.metrics, guess.name, guess.variant)
  if (!a || !b) return undecided('One of the two figures is not in its run.')
  if (a.value === null || b.value === null) return undecided('One of the two figures was not measured.')
  const { verdict, why, ratio } = differenceOf(a, b)
  if (verdict === 'unknown') return undecided(`${why.charAt(0).toUpperCase()}${why.slice(1)}.`)
  const { low, high } = ratio ?? { low: null, high: null }
  const most = low === null || high === null || low <= 0 ? Infinity : Math.max(high, 1 / low)
  if (verdict === 'same' || most <= SAME_WITHIN) return { was: 'same' }
  if (verdict !== 'undecided') return { was: verdict }
  if (most <= DECIDED_WITHIN) return { was: 'same' }
  return undecided(
    Number.isFinite(most)
      ? `The two could be equal, or differ by up to ${String(Number(most.toPrecision(2)))} times.`
      : 'The two could be equal, or far apart.',
  )
}

/** A factor between two figures is written as this one is. */
const FACTOR = 'slowdown'

/** What a slider asks for, of the step's run: the figure itself, or how many times the other it is. */
export function amountOf(
  { name, variant, than }: Guess,
  { metrics }: Pick<Report, 'metrics'>,
): Pick<Metric, 'name' | 'unit' | 'value' | 'low' | 'high'> | undefined {
  const figure = findMetric(metrics, name, variant)
  const other = than && findMetric(metrics, than.name, than.variant)
  if (!than || !figure || !other) return than ? undefined : figure
  const { ratio } = differenceOf(other, figure)
  return ratio ? { ...ratio, name: FACTOR, unit: 'ratio' } : undefined
}
