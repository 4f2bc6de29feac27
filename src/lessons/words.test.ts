/**
 * Words of the lessons, of the page 'Method' and of the glossary: sound markup, no empty words,
 * conditions that can hold.
 */
import { describe, expect, it } from 'vitest'
import { lessons, reasonsOf } from './testing/catalog'
import { passageOf } from '../text/card'
import { sections as glossary } from './glossary.md'
import type { ExperimentLesson, Lesson, ProfilesLesson, Question } from './lesson'
import { conditionsIn, partsOf, allWords } from '../text/testing/all-words'
import type { Text, Inline, Passage } from '../text/template'
import { sections as method } from './method.md'
import { findQuestion } from './questions'
import { sections as reference } from './reference.md'
import { bannedWord, proseFault } from './testing/check-prose'

/** Every passage of a lesson, with where it stands. */
function passagesOf(lesson: Lesson): readonly (readonly [where: string, text: Passage])[] {
  return [
    ...list('intro', lesson.intro),
    ...list('inPyTorch', passageOf(lesson.inPyTorch)),
    ...list('cannot', passageOf(lesson.cannot)),
    ...lesson.quiz.flatMap((item) => [
      ...list(`quiz ${item.id}`, [item.question]),
      ...item.options.flatMap((option) => list(`quiz ${item.id}`, [option.text, ...option.explanation])),
    ]),
    ...(lesson.kind === 'experiment' ? ofExperiment(lesson) : ofProfiles(lesson)),
  ]
}

const list = (where: string, passage: Passage) => [[where, passage] as const]

const ofExperiment = (lesson: ExperimentLesson) => [
  ...list('answer', lesson.answer),
  ...lesson.steps.flatMap((step) => [
    ...list(`step ${step.id}`, step.text),
    ...list(`step ${step.id}, conclusion`, step.lookFor ?? []),
  ]),
  ...list(
    'try next',
    lesson.tryNext.map(({ why }) => why),
  ),
]

const ofProfiles = ({ explanation, suspects }: ProfilesLesson) => [
  ...list('explanation', passageOf(explanation)),
  ...Object.entries(suspects).flatMap(([script, lines]) =>
    lines.flatMap(({ name, words }) => list(`${script}, ${name}`, [words])),
  ),
]

const wordsOf = (lesson: Lesson): readonly (readonly [where: string, text: Inline])[] =>
  passagesOf(lesson).flatMap(([where, passage]) =>
    // A figure of the run at hand is in braces.
    allWords(passage).map((text) => [where, text.replaceAll(/\{[^{}]+\}/g, '1')] as const),
  )

/** The reasons that conditions ask for. */
const reasonsIn = (text: Text): readonly string[] =>
  conditionsIn(text)
    .flatMap(partsOf)
    .flatMap((part) => (part.op === 'reason' ? [part.reason] : []))

const questionsOf = (lesson: Lesson): readonly Question[] =>
  lesson.kind === 'experiment' && lesson.prediction.withoutTimestamps
    ? [lesson.prediction, lesson.prediction.withoutTimestamps]
    : [lesson.prediction]

/** Words that are shown as they are, without markup. */
const plainWordsOf = (lesson: Lesson): readonly string[] => [
  lesson.question,
  lesson.measures,
  ...questionsOf(lesson).flatMap((asked) => [asked.question, ...asked.ends]),
  ...(lesson.kind === 'experiment'
    ? [
        ...lesson.steps.flatMap((step) => [step.heading, ...(step.action ? [step.action.label] : [])]),
        ...lesson.tryNext.map(({ label }) => label),
      ]
    : []),
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

  it('names only reasons that its experiment gives', () => {
    const given = lesson.kind === 'experiment' ? reasonsOf(lesson) : []
    for (const [where, passage] of passagesOf(lesson))
      for (const part of passage) for (const reason of reasonsIn(part)) expect(given, where).toContain(reason)
  })

  it('opens words of the glossary that are there, and none inside a button', () => {
    // A coloured term opens its word too.
    const opened = (text: string) =>
      [...text.matchAll(/\]\(#([a-z-]+)\)|\[\[([a-z]+):/g)].map(([, id, key]) => id ?? key ?? '')
    for (const [where, text] of wordsOf(lesson))
      for (const id of opened(text))
        expect(
          glossary.map((term) => term.id),
          where,
        ).toContain(id)
    for (const { options } of lesson.quiz)
      for (const { text } of options) expect(allWords([text]).flatMap(opened)).toEqual([])
  })

  it('links to questions that are there', () => {
    for (const [where, text] of wordsOf(lesson))
      for (const [, id = ''] of text.matchAll(/\]\(\.\/q\/([^/)]*)/g))
        expect(findQuestion(id), `${where}: ${id}`).toBeDefined()
  })
})

describe('the glossary', () => {
  it('has each word in both dialects', () => {
    for (const { id, heading, text } of glossary) {
      expect(heading).not.toMatch(/[`*[\]]/)
      expect(text.length, id).toBe(2)
      expect(text[1], id).toMatch(/^\*\*In PyTorch:\*\* /)
      for (const paragraph of text) {
        expect(proseFault(paragraph), `${id}: ${paragraph}`).toBeNull()
        expect(bannedWord(paragraph), `${id}: ${paragraph}`).toBeNull()
      }
    }
  })
})

describe.each([
  ['method', method],
  ['reference', reference],
])('the page of the %s', (_, sections) => {
  it('has sections with ids of their own and sound prose', () => {
    expect(new Set(sections.map(({ id }) => id)).size).toBe(sections.length)
    for (const { id, heading, text } of sections) {
      expect(heading, id).not.toMatch(/[`*[\]]/)
      expect(text.length, id).toBeGreaterThan(0)
      for (const paragraph of allWords(text)) {
        expect(proseFault(paragraph), `${id}: ${paragraph}`).toBeNull()
        expect(bannedWord(paragraph), `${id}: ${paragraph}`).toBeNull()
      }
    }
  })
})

describe('the checks themselves', () => {
  it.each([
    ['`open', 'unbalanced `'],
    ['*open', 'unbalanced *'],
    ['an _emphasis_', 'written with _'],
    ['[text](#A term)', 'bracket'],
    ['**half*', 'unbalanced *'],
    ['[[gpu:x]]', 'unknown colour key'],
    ['[text](http://insecure.example)', 'bracket'],
    ['[alone]', 'bracket'],
    [' blank', 'blanks'],
    ['', 'empty'],
  ])('find fault with %s', (text, fault) => expect(proseFault(text)).toContain(fault))

  it('accept what the page can render', () => {
    for (const text of ['`a * b[0]` and *this*', '**x** [[host:y]]', '[z](https://example.org/a#b)'])
      expect(proseFault(text)).toBeNull()
    expect(bannedWord('You simply run it.')).toBe('simply')
    expect(bannedWord('Run `a!`.')).toBeNull()
  })
})
