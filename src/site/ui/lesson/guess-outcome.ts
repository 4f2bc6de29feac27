/**
 * What became of a guess: a step's figure against that of the lesson's own run, or so much of it.
 * Pure.
 */
import type { SliderOf, StepGuess } from '../../../lessons/lesson'
import type { Guessed, Said } from '../../state/lesson-store'
import { findMetric, type Metric, type Report } from '../../../trace/report'
import { formatMetric, formatNumber, withUnit } from '../format'
import { formatTogether } from '../format-rare'
import { inSliderUnit, scoreInWords } from './compare-prediction'
import { differenceOf } from '../../../analysis/metrics'

/**
 * Where all that the intervals allow is less than this factor, nobody would call it more or less,
 * also where they are apart.
 */
const SAME_WITHIN = 1.05
/**
 * Intervals that overlap are 'the same' up to this factor. Where they allow a larger one, the runs
 * decide nothing.
 */
const DECIDED_WITHIN = 1.5

type GuessOutcome =
  | { readonly was: Said }
  /** Why the runs do not decide it: a sentence. */
  | { readonly was: null; readonly why: string }

const undecided = (why: string): GuessOutcome => ({ was: null, why })

type Guess = Omit<StepGuess, 'question' | 'answers'>

/**
 * What a guess is held against: in the lesson's own run, unless the guess names a figure of the
 * same run.
 */
const againstOf = (guess: Guess, before: Report | null, after: Report): Metric | undefined => {
  const { name, variant } = guess.than ?? guess
  return findMetric((guess.than ? after : before)?.metrics ?? [], name, variant)
}

/**
 * @internal A step's figure against that of the lesson's own run, by the bounds of the two.
 * @param before that run; null before there is one
 */
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

/**
 * What a slider asks for, of the step's run: the figure itself, or how many times the other it is.
 */
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

/** What it was, where the runs do not say. */
export const UNDECIDED = 'not decided'

interface Became {
  /** '75 %', 'about as long' */
  readonly expected: string
  /** '9.1 % ± 0.2', 'shorter'; null where the run does not have it. */
  readonly was: string | null
  /** A sentence: by how much, from which figures, or why it is not decided; '' for nothing. */
  readonly more: string
}

/** How much of a step's figure. */
function ofAmount(guess: StepGuess, slider: SliderOf, said: number, report: Report): Became {
  const expected = withUnit(formatNumber(said), slider.unit)
  const amount = amountOf(guess, report)
  const measured = inSliderUnit(amount, slider)
  if (!measured) return { expected, was: null, more: '' }
  return {
    expected,
    was: formatMetric(amount),
    more: scoreInWords(said, measured, slider, report),
  }
}

function ofAnswer(guess: StepGuess, said: Guessed, before: Report | null, after: Report): Became | null {
  const { answers, than, name, variant } = guess
  if (!answers || typeof said === 'number') return null
  const expected = answers[said]
  const outcome = outcomeOf(guess, before, after)
  const against = againstOf(guess, before, after)
  const [its = '', other = ''] = formatTogether([findMetric(after.metrics, name, variant), against])
  const figures = `${its}${against ? `, against ${other}${than ? '' : ' in the first run'}` : ''}.`
  if (outcome.was === null) return { expected, was: UNDECIDED, more: `${figures} ${outcome.why}` }
  return { expected, was: answers[outcome.was], more: figures }
}

/** What became of a step's guess; null for what was said when the step asked something else. */
export const ofGuess = (
  guess: StepGuess,
  said: Guessed,
  before: Report | null,
  after: Report,
): Became | null =>
  guess.slider && typeof said === 'number'
    ? ofAmount(guess, guess.slider, said, after)
    : ofAnswer(guess, said, before, after)
