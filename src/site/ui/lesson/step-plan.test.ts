/** A step's picture shows what the step asks about, whether its lesson's picture does or not. */
import { describe, expect, it } from 'vitest'
import { experimentLessons } from '../../../lessons/testing/catalog'
import { planOf } from './step-plan'

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
