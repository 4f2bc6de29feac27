/** What was expected against the runs that the site plays: all lessons, each way in which one can end. */
import { describe, expect, it } from 'vitest'
import { findExperiment } from '../../../experiments/catalog'
import { experimentLessons } from '../../../lessons/testing/catalog'
import { recordedRuns } from '../../../lessons/testing/recorded-runs'
import { FIRST_RUN } from '../../state/lesson-runs'
import { EMPTY_PROGRESS, SAID, type LessonProgress } from '../../state/lesson-store'
import { amountOf } from '../../state/guess'
import { withUnit } from '../format'
import { expectationsOf, UNDECIDED } from './expectations'
import { planOf } from './step-plan'

const lesson = (id: string) => {
  const words = experimentLessons.find((each) => each.id === id)
  const meta = findExperiment(words?.experiment ?? '')
  if (!words || !meta) throw new Error(`There is no lesson '${id}'.`)
  const runs = recordedRuns(id).find(([where]) => where === 'recordings')?.[1]
  const runOf = (at: string): ReturnType<Parameters<typeof expectationsOf>[3]> => {
    const report = runs?.get(at === FIRST_RUN ? '' : at)
    return report ? { params: report.params, origin: 'recorded', report } : null
  }
  return { words, meta, runOf }
}

/** Predicted, and measured since. */
const predicted = (value: number, unit: string): LessonProgress => ({
  ...EMPTY_PROGRESS,
  prediction: { kind: 'made', value, unit },
  outcome: { unit },
})

const [any] = experimentLessons
if (!any) throw new Error('There is no lesson.')
const { words, meta, runOf } = lesson(any.id)
const asked = words.prediction
const of = (progress: LessonProgress, runs = runOf) => expectationsOf(words, meta, progress, runs)

describe('a prediction', () => {
  const far = of(predicted(asked.max, asked.unit))
  it('is held against what was measured in both worlds', () => {
    expect(far).toMatchObject([{ at: FIRST_RUN, asked: asked.question }])
    expect(far[0]?.was).toMatch(/\d/)
    expect(far[0]?.more).toMatch(/ for PyTorch, .* for the recorded browser\.$/)
  })
  it('is right within the interval', () => {
    const { name, variant } = asked.metric
    const value = runOf(FIRST_RUN)?.report?.metrics.find(
      (metric) => metric.name === name && metric.variant === variant,
    )?.value
    if (value == null) throw new Error('The recording has no such figure.')
    expect(of(predicted(value * asked.scale, asked.unit))).toMatchObject([
      { more: expect.stringContaining('right for the recorded browser') as string },
    ])
  })
  it('says what was expected, and no more, without a run of its own', () => {
    const alone = [{ expected: far[0]?.expected, was: null, more: '' }]
    expect(of(predicted(asked.max, asked.unit), () => null)).toMatchObject(alone)
    // No run came after it.
    expect(of({ ...predicted(asked.max, asked.unit), outcome: null })).toMatchObject(alone)
    // The last run was one with other settings.
    const [step] = words.steps.filter(({ action }) => action?.run)
    const other = () => runOf(step?.id ?? '')
    expect(other()).not.toBeNull()
    expect(of(predicted(asked.max, asked.unit), other)).toMatchObject(alone)
  })
  it('is of the question that its unit names', () => {
    const unit = asked.withoutTimestamps?.unit ?? ''
    expect(of(predicted(2, unit))).toMatchObject([{ asked: asked.withoutTimestamps?.question }])
    expect(of(predicted(2, 'furlongs'))).toEqual([])
  })
  it('that was skipped is not listed', () => {
    expect(of(EMPTY_PROGRESS)).toEqual([])
    expect(of({ ...EMPTY_PROGRESS, prediction: { kind: 'skipped' } })).toEqual([])
  })
})

describe('a guess', () => {
  const all = experimentLessons.flatMap(({ id }) => {
    const { words: own, meta: its, runOf: runs } = lesson(id)
    return SAID.flatMap((said) => {
      const guesses = Object.fromEntries(own.steps.map((step) => [step.id, said]))
      return expectationsOf(own, its, { ...EMPTY_PROGRESS, guesses }, runs).map(
        (one) => ({ ...one, id, said }) as const,
      )
    })
  })
  it('is listed for each step that asks, in their order', () => {
    for (const { id, steps } of experimentLessons)
      expect(all.filter((one) => one.id === id && one.said === 'more').map(({ at }) => at)).toEqual(
        steps.filter(({ guess }) => guess && !guess.slider).map((step) => step.id),
      )
  })
  it('was one answer of three, with both figures, which its page has; or the runs do not decide it, and say why', () => {
    const said = all.filter(({ was }) => was !== null)
    expect(said).not.toEqual([])
    for (const { was, more, at } of said) {
      expect(more, at).toMatch(/^.*\d.*, against .*\d.*\./)
      if (was === UNDECIDED) expect(more, at).toContain('could be equal')
      else
        expect(said.filter((one) => one.at === at && one.was === one.expected).length, at).toBeGreaterThan(0)
    }
  })
  it('without a kept run says what was expected alone', () => {
    const [step] = words.steps.filter(({ guess }) => guess && !guess.slider)
    const guesses = { [step?.id ?? '']: 'less' as const }
    expect(of({ ...EMPTY_PROGRESS, guesses }, () => null)).toMatchObject([
      { expected: step?.guess?.answers?.less, was: null, more: '' },
    ])
    // A step that was in the lesson once.
    expect(of({ ...EMPTY_PROGRESS, guesses: { gone: 'less' } })).toEqual([])
  })
})

describe('how much', () => {
  const asking = experimentLessons.flatMap(({ id, steps }) =>
    steps.flatMap(({ id: at, guess }) =>
      guess?.slider ? [[`${id}/${at}`, id, at, guess, guess.slider] as const] : [],
    ),
  )
  it.each(asking)('of %s is right where it was measured', (_, id, at, guess, slider) => {
    const { words: own, meta: its, runOf: runs } = lesson(id)
    const report = runs(at)?.report
    const value = report ? amountOf(guess, report)?.value : null
    if (value == null) throw new Error('It was not recorded.')
    expect(value * slider.scale).toBeGreaterThan(slider.min)
    expect(value * slider.scale).toBeLessThan(slider.max)
    const said = (amount: number) => {
      const [one, ...more] = expectationsOf(own, its, { ...EMPTY_PROGRESS, guesses: { [at]: amount } }, runs)
      expect(more).toEqual([])
      return one
    }
    const right = said(value * slider.scale)
    expect(right?.was).toMatch(/\d/)
    expect(right?.more).toMatch(/not scored|too wide to score|within the measured interval|nothing nearer/)
    expect(said(slider.max)?.expected).toBe(withUnit(String(slider.max), slider.unit))
  })
  it('is not listed where the step asked something else then', () => {
    const [[, id, at] = ['', '', '']] = asking
    const { words: own, meta: its, runOf: runs } = lesson(id)
    expect(expectationsOf(own, its, { ...EMPTY_PROGRESS, guesses: { [at]: 'more' } }, runs)).toEqual([])
    const other = words.steps.find(({ guess }) => guess && !guess.slider)
    expect(of({ ...EMPTY_PROGRESS, guesses: { [other?.id ?? '']: 8 } })).toEqual([])
  })
})

describe.each(experimentLessons.map((lesson) => [lesson.id, lesson] as const))('%s', (_, lesson) => {
  it('draws variants that its steps ask about', () => {
    for (const step of lesson.steps) {
      const asked = [...(step.guess ? [step.guess] : []), ...step.compare].map(({ variant }) => variant)
      if (asked.some((variant) => variant !== ''))
        expect(
          planOf(lesson, step).variants.filter((variant) => asked.includes(variant)),
          step.id,
        ).not.toEqual([])
    }
  })
})

it('keeps the picture of the lesson where that shows them', () => {
  const excerpt = {
    variants: ['a', 'b', 'c'],
    steps: 2,
    isSteady: true,
    staging: false,
    figure: '',
    words: '',
  }
  const compare = [
    { name: 'x', variant: 'a' },
    { name: 'x', variant: 'd' },
  ]
  const question = { name: 'x', variant: 'a', question: 'How much?' }
  expect(planOf({ excerpt }, { compare, guess: question })).toEqual({ ...excerpt, isSteady: false })
  expect(planOf({ excerpt }, { compare, guess: { ...question, variant: 'd' } }).variants).toEqual(['a', 'd'])
  expect(planOf({ excerpt }, { compare, show: { steps: 1, variants: ['c'] } })).toMatchObject({
    steps: 1,
    variants: ['c'],
  })
})
