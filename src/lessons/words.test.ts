/** Words that are the same for every run: sound markup, no empty words, in the lessons and on the page 'Method'. */
import { describe, expect, it } from 'vitest'
import { lessons } from './catalog'
import type { Lesson } from './lesson'
import { method } from './method'
import { bannedWord, proseFault } from './testing/check-prose'

/** Every piece of prose of a lesson that does not depend on a run, with where it stands. */
function wordsOf(lesson: Lesson): readonly (readonly [where: string, text: string])[] {
  const list = (where: string, prose: readonly string[]) => prose.map((text) => [where, text] as const)
  return [
    ...list('intro', lesson.intro),
    ...list('carriesOver', lesson.carriesOver),
    ...list('cannot', lesson.cannot),
    ...list('cuda', [
      ...(lesson.cuda?.intro ?? []),
      ...(lesson.cuda?.profiles ?? []).map(({ does }) => does),
    ]),
    ...lesson.steps.flatMap((step) => [
      ...list(`step ${step.id}`, step.text),
      ...list(`step ${step.id}, look for`, step.lookFor ?? []),
    ]),
    ...lesson.quiz.flatMap((item) => [
      ...list(`quiz ${item.id}`, [item.question]),
      ...item.options.flatMap((option) => list(`quiz ${item.id}`, [option.text, option.explanation])),
    ]),
    ...list(
      'try next',
      lesson.tryNext.map(({ why }) => why),
    ),
  ]
}

/** Words that are shown as they are, without markup. */
const plainWordsOf = (lesson: Lesson): readonly string[] => [
  lesson.title,
  lesson.question,
  lesson.measures,
  lesson.prediction.question,
  ...lesson.prediction.ends,
  ...lesson.steps.flatMap((step) => [step.heading, ...(step.action ? [step.action.label] : [])]),
  ...lesson.tryNext.map(({ label }) => label),
  ...lesson.code.map(({ title }) => title),
  ...lesson.sources.map(({ label }) => label),
]

describe.each(lessons.map((lesson) => [lesson.id, lesson] as const))('%s', (_, lesson) => {
  it('has balanced markup and no empty words', () => {
    for (const [where, text] of wordsOf(lesson)) {
      expect(proseFault(text), `${where}: ${text}`).toBeNull()
      expect(bannedWord(text), `${where}: ${text}`).toBeNull()
    }
    for (const text of plainWordsOf(lesson)) {
      expect(text, 'plain words carry no markup').not.toMatch(/[`*[\]]/)
      expect(bannedWord(text), text).toBeNull()
    }
  })
})

describe('the method page', () => {
  it('has sections with ids of their own and sound prose', () => {
    expect(new Set(method.map(({ id }) => id)).size).toBe(method.length)
    for (const { id, heading, text } of method) {
      expect(heading, id).not.toMatch(/[`*[\]]/)
      expect(text.length, id).toBeGreaterThan(0)
      for (const paragraph of text) {
        expect(proseFault(paragraph), `${id}: ${paragraph}`).toBeNull()
        expect(bannedWord(paragraph), `${id}: ${paragraph}`).toBeNull()
      }
    }
  })
})
