/** Lessons as data: whatever they name must exist, and stand within its range. */
import { CAUSES } from '../analysis/replay/causes'
import { describe, expect, it } from 'vitest'
import { parseParams } from '../experiments/experiment'
import { readdirSync } from 'node:fs'
import { experimentLessons, findLesson, lessons, metaOf } from './testing/catalog'
import { recordedRuns } from './testing/recorded-runs'
import { allWords, stringsOf } from '../text/testing/all-words'
import type { Text, Passage } from '../text/template'
import { misconceptions } from './lesson'

describe('the catalog', () => {
  it('mends what a profile can show, each by one lesson', () => {
    const mended = lessons.flatMap(({ mends }) => mends)
    expect([...CAUSES, 'well-fed']).toEqual(expect.arrayContaining(mended))
    expect(new Set(mended).size).toBe(mended.length)
  })

  it('is in order, with ids that find their lesson', () => {
    // Places in the whole path: lessons that are not there yet leave gaps.
    const places = lessons.map(({ number }) => number)
    expect(places).toEqual([...new Set(places)].toSorted((a, b) => a - b))
    expect(places.every((place) => Number.isInteger(place) && place >= 1)).toBe(true)
    expect(new Set(lessons.map(({ id }) => id)).size).toBe(lessons.length)
    for (const lesson of lessons) expect(findLesson(lesson.id)).toBe(lesson)
    expect(findLesson('no-such-lesson')).toBeUndefined()
    const folders = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('lesson.md'),
    )
    expect(lessons.map(({ id }) => `${id}/lesson.md`).toSorted()).toEqual(folders.toSorted())
  })
})

describe.each(lessons.map((lesson) => [lesson.id, lesson] as const))('%s', (_, lesson) => {
  it('has PyTorch’s figure where a guess could be', () => {
    const { min, max } = lesson.prediction
    const pytorch = 'pytorch' in lesson.prediction ? lesson.prediction.pytorch : undefined
    const onScale = pytorch?.onScale ?? min
    expect(onScale).toBeGreaterThanOrEqual(min)
    expect(onScale).toBeLessThanOrEqual(max)
  })

  it('asks with a slider whose steps fill it, and that stands inside it at first', () => {
    const asked = [
      lesson.prediction,
      ...(lesson.kind === 'experiment' && lesson.prediction.withoutTimestamps
        ? [lesson.prediction.withoutTimestamps]
        : []),
    ]
    for (const { min, max, step, start, scale, doublings = false } of asked) {
      expect(start).toBeGreaterThan(min)
      expect(start).toBeLessThan(max)
      const [from, to] = doublings ? [Math.log2(min), Math.log2(max)] : [min, max]
      expect((to - from) / step).toBeCloseTo(Math.round((to - from) / step))
      if (doublings) expect(Math.log2(start)).toBeCloseTo(Math.round(Math.log2(start)))
      expect(scale).toBeGreaterThan(0)
    }
  })

  it('gives https sources, each once', () => {
    expect(lesson.sources).not.toEqual([])
    for (const { url } of lesson.sources) expect(new URL(url).protocol).toBe('https:')
    expect(new Set(lesson.sources.map(({ url }) => url)).size).toBe(lesson.sources.length)
  })
})

describe.each(experimentLessons.map((lesson) => [lesson.id, lesson] as const))('%s', (_, lesson) => {
  const meta = metaOf(lesson)

  it('names only parameters and values that its experiment takes', () => {
    const sets = [
      lesson.values,
      ...lesson.steps.flatMap(({ action }) => (action ? [action.values] : [])),
      ...lesson.tryNext.map(({ values }) => values),
    ]
    for (const values of sets) {
      expect(parseParams(meta, { ...lesson.values, ...values })).toMatchObject({ ok: true })
      expect(parseParams(meta, values)).toMatchObject({ ok: true })
    }
  })

  it('turns one dial a step, and turns it away from where it stands', () => {
    for (const { action } of lesson.steps) {
      if (!action?.dial) continue
      expect(Object.keys(action.values)).toEqual([action.dial])
      expect(action.values[action.dial]).not.toEqual(lesson.values[action.dial])
    }
    for (const { label, values } of lesson.tryNext)
      for (const [name, value] of Object.entries(values))
        expect(value, `'${label}' changes nothing of ${name}`).not.toEqual(lesson.values[name])
  })

  it('asks in every step that runs for a guess, of figures that its runs have', () => {
    const figure = ({ name, variant }: { name: string; variant: string }) => `${name} ${variant}`
    const own = meta.metricKeys(lesson.values).map(figure)
    for (const { id, action, compare, guess } of lesson.steps) {
      if (!guess) {
        // One figure, which the lesson's own run does not have, has nothing to be held against.
        const askable = compare.length > 1 || compare.some((each) => own.includes(figure(each)))
        expect(action !== undefined && askable, id).toBe(false)
        continue
      }
      const after = meta.metricKeys({ ...lesson.values, ...action?.values }).map(figure)
      expect(after, id).toContain(figure(guess))
      expect(guess.than || guess.slider ? after : own, id).toContain(figure(guess.than ?? guess))
    }
  })

  it('puts no chart first in a step that its recorded run does not have', () => {
    for (const { id, action, chart } of lesson.steps) {
      if (chart === undefined) continue
      const report = recordedRuns(lesson.id)
        .find(([where]) => where === 'recordings')?.[1]
        .get(action ? id : '')
      expect(
        report?.figures?.map((figure) => figure.id),
        id,
      ).toContain(chart)
    }
  })

  it('asks for a prediction of a metric that its own run reports', () => {
    const { withoutTimestamps, ...prediction } = lesson.prediction
    for (const asked of [prediction, ...(withoutTimestamps ? [withoutTimestamps] : [])]) {
      const { metric } = asked
      expect(meta.metricKeys(lesson.values)).toContainEqual({ name: metric.name, variant: metric.variant })
    }
    // The unit tells which of the two an answer was given to (site/state/lesson-store.ts).
    expect(withoutTimestamps?.unit).not.toBe(prediction.unit)
  })
})

/** Characters of the shortest words that a passage can come to. */
const leastLength = (passage: Passage): number => passage.reduce((sum, part) => sum + leastOf(part), 0)
function leastOf(text: Text): number {
  if (typeof text === 'string') return text.length
  if ('parts' in text) return stringsOf(text).join('').length
  if (!('when' in text)) return text.reduce((sum, part) => sum + leastOf(part), 0)
  return text.otherwise === undefined ? 0 : Math.min(leastOf(text.text), leastOf(text.otherwise))
}

describe.each(lessons.map((lesson) => [lesson.id, lesson] as const))('%s', (_, lesson) => {
  it('asks at least three why-questions, each with one right option and every option explained', () => {
    expect(lesson.quiz.length).toBeGreaterThanOrEqual(3)
    for (const { id, question, options } of lesson.quiz) {
      expect(allWords([question]).join(' '), id).toMatch(/\bwhy\b/i)
      expect(options.length, id).toBeGreaterThanOrEqual(3)
      expect(options.filter(({ correct }) => correct).length, id).toBe(1)
      expect(new Set(options.map(({ text }) => text)).size, id).toBe(options.length)
      for (const { explanation, correct, misconception } of options) {
        // The shortest of its branches is counted, whatever the run shows.
        expect(leastLength(explanation), id).toBeGreaterThan(60)
        if (misconception !== undefined) expect(correct, `${id}: a misconception is never right`).toBe(false)
      }
    }
    expect(new Set(lesson.quiz.map(({ id }) => id)).size).toBe(lesson.quiz.length)
  })

  it('does not give the right option away by its place or its length', () => {
    const places = lesson.quiz.map(({ options }) => options.findIndex(({ correct }) => correct))
    expect(new Set(places).size).toBeGreaterThan(1)
    const rightIsLongest = lesson.quiz.filter(({ options }) => {
      const lengths = options.map(({ text }) => Math.max(...stringsOf(text).map((each) => each.length)))
      return lengths[options.findIndex(({ correct }) => correct)] === Math.max(...lengths)
    })
    expect(rightIsLongest.length).toBeLessThanOrEqual(lesson.quiz.length / 3)
  })
})

describe('the quizzes as a whole', () => {
  it('meet most of the misconceptions seen in the wild', () => {
    const met = new Set(
      lessons.flatMap(({ quiz }) =>
        quiz.flatMap(({ options }) => options.flatMap(({ misconception }) => misconception ?? [])),
      ),
    )
    for (const key of met) expect(Object.keys(misconceptions)).toContain(key)
    expect([...met].toSorted()).toEqual(['M1', 'M2', 'M3', 'M4', 'M5', 'M6', 'M7', 'M8'])
  })
})
