/** Quizzes: every question answered, every option explained, no right one given away, and most misconceptions met. */
import { describe, expect, it } from 'vitest'
import { lessons } from './testing/catalog'
import type { Passage } from '../text/passage'
import { allWords, stringsOf } from '../text/testing/all-words'
import type { Text } from '../text/template'
import { misconceptions } from './lesson'

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
        // Whatever the run shows: the shortest of its branches.
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
