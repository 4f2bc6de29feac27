import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { experiments } from '../experiments/catalog'
import { findLesson, lessons } from '../lessons/testing/catalog'
import { addressOf, readAddress } from '../state/url'
import {
  assignmentNumber,
  assignmentQuery,
  MAX_TITLE,
  readAssignment,
  stepsToAsk,
  type Assignment,
} from './assignment'

const metaOf = (id: string) => {
  const lesson = findLesson(id)
  return lesson?.kind === 'experiment'
    ? (experiments.find((each) => each.id === lesson.experiment) ?? null)
    : null
}
const read = (query: Readonly<Record<string, string>>) => {
  const id = query['lesson'] ?? ''
  return readAssignment(query, findLesson(id) ?? null, metaOf(id), true)
}

const ONE: Assignment = {
  lesson: 'sync-stalls',
  title: 'Week 3',
  steps: ['longer'],
  values: { kernelMs: 1 },
  isLocked: true,
  mend: true,
}

describe('an assignment', () => {
  it('is what its link says, for every lesson', () => {
    for (const lesson of lessons) {
      const steps = stepsToAsk(lesson).map(({ id }) => id)
      fc.assert(
        fc.property(
          fc.subarray(steps),
          fc.string({ maxLength: MAX_TITLE }).map((text) => text.trim()),
          fc.boolean(),
          fc.boolean(),
          (asked, title, isLocked, mend) => {
            const assignment = { lesson: lesson.id, title, steps: asked, values: {}, isLocked, mend }
            const route = readAddress(addressOf({ page: 'assignment', query: assignmentQuery(assignment) }))
            if (route.page !== 'assignment') throw new Error(route.page)
            expect(read(route.query)).toEqual({ ok: true, value: assignment })
          },
        ),
        { numRuns: 20 },
      )
    }
  })

  it('keeps the settings that differ from the lesson’s, and no others', () => {
    expect(read(assignmentQuery(ONE))).toEqual({ ok: true, value: ONE })
    expect(read({ lesson: 'sync-stalls', 'set.kernelMs': '0.3' })).toMatchObject({ value: { values: {} } })
    // A parameter may be called as a part of the link is.
    expect(read({ lesson: 'sync-stalls', 'set.steps': '16' })).toMatchObject({
      value: { values: { steps: 16 }, steps: [] },
    })
  })

  it('has a number that changes with anything that is asked', () => {
    const others: readonly Partial<Assignment>[] = [
      { title: '' },
      { steps: [] },
      { values: {} },
      { isLocked: false },
      { mend: false },
      { lesson: 'command-queue' },
    ]
    const numbers = [ONE, ...others.map((other) => ({ ...ONE, ...other }))].map(assignmentNumber)
    expect(new Set(numbers).size).toBe(numbers.length)
    expect(numbers).not.toContain(0)
  })

  it.each([
    [{}, 'names no lesson'],
    [{ lesson: 'nothing' }, "no lesson 'nothing'"],
    [{ lesson: 'sync-stalls', step: 'longer' }, "no 'step'"],
    [{ lesson: 'sync-stalls', steps: 'shorter' }, "no step 'shorter'"],
    [{ lesson: 'sync-stalls', mend: 'yes' }, "'mend' must be 0 or 1"],
    [{ lesson: 'sync-stalls', locked: 'true' }, "'locked' must be 0 or 1"],
    [{ lesson: 'sync-stalls', title: 'x'.repeat(MAX_TITLE + 1) }, 'more than 80'],
    [{ lesson: 'sync-stalls', title: 'x'.repeat(2000) }, 'too long'],
    [{ lesson: 'sync-stalls', 'set.kernelMs': 'fast' }, "'kernelMs' must be a number"],
    [{ lesson: 'sync-stalls', 'set.kernelMs': '1e9' }, "'kernelMs' must be a number"],
    [{ lesson: 'sync-stalls', 'set.colour': 'red' }, "no parameter 'colour'"],
    [{ lesson: 'read-a-profile', 'set.kernelMs': '1' }, 'runs nothing'],
  ])('is refused in words: %j', (query, why) => {
    expect(read(query as Readonly<Record<string, string>>)).toMatchObject({
      ok: false,
      error: { code: 'parameter', message: expect.stringContaining(why) as string },
    })
  })

  it('asks for no mend where there is none', () => {
    const lesson = findLesson('sync-stalls') ?? null
    expect(
      readAssignment({ lesson: 'sync-stalls', mend: '1' }, lesson, metaOf('sync-stalls'), false),
    ).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('no program to mend') as string },
    })
  })
})
