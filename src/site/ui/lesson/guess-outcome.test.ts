/**
 * What was guessed against the runs that the site plays: all lessons, each way in which one can
 * end.
 */
import { describe, expect, it } from 'vitest'
import { experimentLessons } from '../../../lessons/testing/catalog'
import { recordedRuns } from '../../../lessons/testing/recorded-runs'
import { SAID } from '../../state/lesson-store'
import { amountOf, ofGuess, outcomeOf, UNDECIDED } from './guess-outcome'
import { withUnit, formatMetric } from '../format'
import { planOf } from './step-plan'
import type { Metric, Report } from '../../../trace/report'

/** Each guess of a step, with the reports of the lesson's own recording and of the step's. */
const guesses = experimentLessons.flatMap(({ id, steps }) => {
  const runs = recordedRuns(id).find(([where]) => where === 'recordings')?.[1]
  return steps.flatMap(({ id: at, guess }) => {
    const after = runs?.get(at)
    return guess && after ? [[`${id}/${at}`, guess, runs?.get('') ?? null, after] as const] : []
  })
})

it('one answer of three has both figures, which its page has; or the runs do not decide it, and say why', () => {
  const asking = guesses.filter(([, { answers }]) => answers)
  expect(asking).not.toEqual([])
  for (const [step, guess, before, after] of asking) {
    const all = SAID.map((said) => ofGuess(guess, said, before, after))
    for (const one of all) expect(one?.more, step).toMatch(/^.*\d.*, against .*\d.*\./)
    if (all[0]?.was === UNDECIDED) expect(all[0].more, step).toContain('could be equal')
    else expect(all.filter((one) => one?.was === one?.expected).length, step).toBe(1)
    expect(ofGuess(guess, 8, before, after), 'it asked something else then').toBeNull()
  }
})

describe('how much', () => {
  it.each(guesses.filter(([, { slider }]) => slider))(
    'of %s is right where it was measured',
    (_, guess, before, after) => {
      const { slider } = guess
      const value = amountOf(guess, after)?.value
      if (value == null || !slider) throw new Error('It was not recorded.')
      expect(value * slider.scale).toBeGreaterThan(slider.min)
      expect(value * slider.scale).toBeLessThan(slider.max)
      const right = ofGuess(guess, value * slider.scale, before, after)
      expect(right?.was).toMatch(/\d/)
      expect(right?.more).toMatch(/not scored|too wide to score|^Right\.$/)
      expect(ofGuess(guess, slider.max, before, after)?.expected).toBe(
        withUnit(String(slider.max), slider.unit),
      )
      expect(ofGuess(guess, 'more', before, after)).toBeNull()
    },
  )
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
