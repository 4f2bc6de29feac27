/** What was expected against the runs that the site plays: all lessons, each way in which one can end. */
import { describe, expect, it } from 'vitest'
import { findExperiment } from '../../../experiments/catalog'
import { experimentLessons } from '../../../lessons/testing/catalog'
import { recordedRuns } from '../../../lessons/testing/recorded-runs'
import { FIRST_RUN } from '../../state/lesson-runs'
import { EMPTY_PROGRESS, SAID, type LessonProgress } from '../../state/lesson-store'
import { expectationsOf, UNDECIDED, amountOf, outcomeOf } from './expectations'
import { withUnit, formatMetric } from '../format'
import { planOf } from './step-plan'
import type { Metric, Report } from '../../../trace/report'

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

const figure = (low: number | null, high: number | null, variant = 'a'): Metric => ({
  name: 'step-ms',
  variant,
  unit: 'ms',
  origin: 'host-clock',
  value: low === null || high === null ? null : (low + high) / 2,
  low,
  high,
  n: 5,
})

const [somewhere] = experimentLessons.flatMap(({ id }) => recordedRuns(id))
const recorded = somewhere?.[1].get('')
if (!recorded) throw new Error('There is no recorded run.')
const run = (...metrics: readonly Metric[]): Report => ({ ...recorded, metrics })
const GUESS = { name: 'step-ms', variant: 'a' }

describe('a guess', () => {
  it.each([
    ['more', [1, 1.2], [2, 2.2]],
    ['less', [2, 2.2], [1, 1.2]],
    ['same', [1, 1.2], [1.1, 1.3]],
    // Apart, and hardly.
    ['same', [1, 1.01], [1.02, 1.03]],
    ['more', [1, 1.01], [1.08, 1.09]],
    // They overlap, and allow more than half as much again.
    [null, [1, 2], [1.5, 3]],
    [null, [0, 2], [1, 1.1]],
  ] as const)('%s', (was, [low, high], after) =>
    expect(outcomeOf(GUESS, run(figure(low, high)), run(figure(after[0], after[1]))).was).toBe(was),
  )

  it('is held against another figure of its own run', () => {
    const both = run(figure(1, 1.1), figure(3, 3.1, 'b'))
    expect(outcomeOf({ ...GUESS, than: { name: 'step-ms', variant: 'b' } }, null, both)).toEqual({
      was: 'less',
    })
  })

  it.each([
    ['was not made', null, run(figure(1, 1.1))],
    ['not in its run', run(figure(1, 1.1, 'b')), run(figure(1, 1.1))],
    ['not measured', run(figure(1, 1.1)), run(figure(null, null))],
    [
      'does not count',
      run(figure(1, 1.1)),
      { ...run(figure(2, 2.1)), validity: { valid: false, reasons: [] } },
    ],
    ['too few', run(figure(1, 1.1)), run({ ...figure(2, 2.1), n: 2 })],
    ['up to 3 times', run(figure(1, 2)), run(figure(1.5, 3))],
  ])('says why it is not decided: %s', (why, before, after) => {
    const outcome = outcomeOf(GUESS, before, after)
    expect(outcome.was === null && outcome.why).toContain(why)
  })
})

describe('the recorded runs', () => {
  const outcomes = experimentLessons.flatMap(({ id, steps }) =>
    recordedRuns(id).flatMap(([where, runs]) =>
      steps.flatMap((step) => {
        const after = runs.get(step.id)
        if (where !== 'recordings' || !step.guess || step.guess.slider || !after) return []
        return [[`${id}/${step.id}`, outcomeOf(step.guess, runs.get('') ?? null, after)] as const]
      }),
    ),
  )

  it('have both figures of every guess: only overlapping ranges leave one open', () => {
    const open = outcomes.flatMap(([step, outcome]) => (outcome.was === null ? [[step, outcome.why]] : []))
    for (const [step, why] of open) expect(why, step).toContain('could be equal')
    expect(open.length).toBeLessThan(outcomes.length / 4)
  })

  it('have no answer that is nearly always right', () => {
    for (const said of ['more', 'same', 'less'] as const) {
      const right = outcomes.filter(([, { was }]) => was === said).length
      expect(right, said).toBeLessThanOrEqual(outcomes.length / 2)
    }
  })
})

describe('how much', () => {
  const other = { name: 'step-ms', variant: 'b' }
  it('is the factor between two figures of one run, with all that their intervals allow', () => {
    const amount = amountOf({ ...GUESS, than: other }, run(figure(6, 12), figure(1, 3, 'b')))
    expect(amount).toMatchObject({ value: 4.5, low: 2, high: 12, unit: 'ratio' })
    expect(formatMetric(amount)).toMatch(/^4\.5\d*\s×/)
  })
  it('is the figure itself without another', () =>
    expect(amountOf(GUESS, run(figure(6, 12)))).toMatchObject({ value: 9, low: 6, high: 12 }))
  it('is not there without both, or over nothing', () => {
    expect(amountOf({ ...GUESS, than: other }, run(figure(6, 12)))).toBeUndefined()
    expect(amountOf({ ...GUESS, than: other }, run(figure(6, 12), figure(0, 0, 'b')))).toBeUndefined()
  })
})
