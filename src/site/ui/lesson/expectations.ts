/** What a reader committed to before each run of a lesson, and what became of it: from the kept runs, with no second copy of a score. Pure. */
import type { Meta } from '../../../experiments/catalog'
import type { ExperimentLesson, LessonStep, SliderOf, StepGuess } from '../../../lessons/lesson'
import type { Inline } from '../../../text/template'
import { BROWSER_OF } from '../../../text/facts'
import { FIRST_RUN } from '../../state/lesson-runs'
import type { Guessed, LessonProgress, Said } from '../../state/lesson-store'
import type { RunState } from '../../state/run-store'
import { findMetric, type Metric, type Report } from '../../../trace/report'
import { formatMetric, formatNumber, withUnit } from '../format'
import { formatTogether } from '../format-rare'
import { differences } from '../run/param-query'
import { inSliderUnit, NO_WORLDS, scoreInWords } from './compare-prediction'
import { differenceOf } from '../../../analysis/metrics'

/** Where all that the intervals allow is less than this factor, nobody would call it more or less, also where they are apart. */
const SAME_WITHIN = 1.05
/** Intervals that overlap are 'the same' up to this factor. Where they allow a larger one, the runs decide nothing. */
const DECIDED_WITHIN = 1.5

type GuessOutcome =
  | { readonly was: Said }
  /** Why the runs do not decide it: a sentence. */
  | { readonly was: null; readonly why: string }

const undecided = (why: string): GuessOutcome => ({ was: null, why })

type Guess = Omit<StepGuess, 'question' | 'answers'>

/** What a guess is held against: in the lesson's own run, unless the guess names a figure of the same run. */
const againstOf = (guess: Guess, before: Report | null, after: Report): Metric | undefined => {
  const { name, variant } = guess.than ?? guess
  return findMetric((guess.than ? after : before)?.metrics ?? [], name, variant)
}

/** @internal A step's figure against that of the lesson's own run, by the bounds of the two. @param before that run; null before there is one */
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

export interface Expectation {
  /** FIRST_RUN: the prediction. Else the step. */
  readonly at: string
  /** What was asked, in the words of the lesson. */
  readonly asked: Inline
  /** '75 %', 'about as long' */
  readonly expected: string
  /** '9.1 % ± 0.2', 'shorter'; null where no run of it is kept. */
  readonly was: string | null
  /** A sentence: by how much, from which figures, or why it is not decided; '' for nothing. */
  readonly more: string
}

/** What of a kept run an expectation is held against. */
type ReportedRun = Pick<RunState, 'params' | 'report' | 'origin'>
type RunOf = (step: string) => ReportedRun | null

/** What it was, where the runs do not say. */
export const UNDECIDED = 'not decided'

const NOT_KEPT = { was: null, more: '' } as const

function ofPrediction(
  lesson: Pick<ExperimentLesson, 'prediction' | 'values'>,
  meta: Meta,
  { prediction, outcome }: LessonProgress,
  run: ReportedRun | null,
): readonly Expectation[] {
  if (prediction?.kind !== 'made') return []
  const { withoutTimestamps, ...first } = lesson.prediction
  const unit = prediction.unit ?? first.unit
  const asked = [first, withoutTimestamps].find((each) => each?.unit === unit)
  if (!asked) return []
  const { name, variant } = asked.metric
  const said = {
    at: FIRST_RUN,
    asked: asked.question,
    expected: withUnit(formatNumber(prediction.value), unit),
  }
  const report = run?.report
  // Without an outcome the run is older than the prediction, or does not count; with other settings it answers another question.
  if (!outcome || !report || differences(meta, run.params, lesson.values).length > 0)
    return [{ ...said, ...NOT_KEPT }]
  const metric = findMetric(report.metrics, name, variant)
  const measured = inSliderUnit(metric, asked)
  const worlds = { pytorch: asked.pytorch?.onScale ?? null, browser: BROWSER_OF[run.origin] }
  return [
    {
      ...said,
      was:
        asked.pytorch && worlds.pytorch !== null
          ? `${asked.pytorch.text} in PyTorch, ${formatMetric(metric)} in ${worlds.browser}`
          : formatMetric(metric),
      more: scoreInWords(prediction.value, measured, asked, report, worlds),
    },
  ]
}

type Became = Omit<Expectation, 'at' | 'asked'>

/** How much of a step's figure. */
function ofAmount(guess: StepGuess, slider: SliderOf, said: number, report: Report | null): Became {
  const expected = withUnit(formatNumber(said), slider.unit)
  const amount = report ? amountOf(guess, report) : undefined
  const measured = inSliderUnit(amount, slider)
  if (!report || !measured) return { expected, ...NOT_KEPT }
  return {
    expected,
    was: formatMetric(amount),
    more: scoreInWords(said, measured, slider, report, NO_WORLDS),
  }
}

function ofAnswer(
  guess: StepGuess,
  said: Guessed,
  before: Report | null,
  after: Report | null,
): Became | null {
  const { answers, than, name, variant } = guess
  if (!answers || typeof said === 'number') return null
  const expected = answers[said]
  if (!after) return { expected, ...NOT_KEPT }
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
  after: Report | null,
): Became | null =>
  guess.slider && typeof said === 'number'
    ? ofAmount(guess, guess.slider, said, after)
    : ofAnswer(guess, said, before, after)

function ofStep({ id, guess }: LessonStep, said: Guessed | undefined, runOf: RunOf): readonly Expectation[] {
  if (!guess || said === undefined) return []
  const became = ofGuess(guess, said, runOf(FIRST_RUN)?.report ?? null, runOf(id)?.report ?? null)
  return became ? [{ at: id, asked: guess.question, ...became }] : []
}

/** In the lesson's order; nothing for what was skipped. */
export const expectationsOf = (
  lesson: Pick<ExperimentLesson, 'prediction' | 'values' | 'steps'>,
  meta: Meta,
  progress: LessonProgress,
  runOf: RunOf,
): readonly Expectation[] => [
  ...ofPrediction(lesson, meta, progress, runOf(FIRST_RUN)),
  ...lesson.steps.flatMap((step) => ofStep(step, progress.guesses?.[step.id], runOf)),
]
