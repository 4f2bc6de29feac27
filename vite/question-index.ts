/**
 * Questions without their answers, for pages that only lead to them: `virtual:question-index`, all of them, and `virtual:home-questions`, the
 * first of each group. And `virtual:question-figures`: of each lesson that a question leads to what was recorded of it, for the picture that
 * stands beside the answer.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Plugin } from 'vite'
import { recordedIn } from './recorded-figures'
import { thumbnailOf } from './lesson-index'
import { readLessons } from './words-md'
import { parseSections } from './words/sections'

const FILE = resolve(import.meta.dirname, '../src/lessons/questions.md')
const ALL = 'virtual:question-index'
const HOME = 'virtual:home-questions'
const FIGURES = 'virtual:question-figures'
const NAMES: readonly string[] = [ALL, HOME, FIGURES]
const resolved = (name: string) => `\0${name}`

/** As many rows as a thumbnail has (src/state/thumbnail.ts), the same ones. */
const ROWS = 3

/** By lesson; none of one without times of the device: the figure's words are of those. */
async function figures() {
  const lessons = await readLessons()
  const recorded = await recordedIn([])
  const drawn = await Promise.all(lessons.map(thumbnailOf))
  return Object.fromEntries(
    lessons.flatMap((lesson, at) => {
      if (lesson.kind !== 'experiment' || drawn[at] !== 'device') return []
      const { id, story } = lesson
      const rows = story.variants.slice(-ROWS).map((variant) => {
        const { value, unit } = recorded.figure(id, story.figure, variant)
        return { variant, value, unit }
      })
      return [[id, { ...recorded.origin(id), figure: story.figure, words: story.words, rows }] as const]
    }),
  )
}

export const questionIndex = (): Plugin => ({
  name: 'question-index',
  resolveId: (id) => (NAMES.includes(id) ? resolved(id) : null),
  async load(id) {
    if (id === resolved(FIGURES)) return `export const questionFigures = ${JSON.stringify(await figures())}`
    if (id !== resolved(ALL) && id !== resolved(HOME)) return null
    this.addWatchFile(FILE)
    const source = readFileSync(FILE, 'utf8')
    const all = parseSections(source, FILE, await recordedIn([source])).map(
      ({ id: slug, heading, group = '', text }) => {
        const last = text.at(-1)
        const lesson =
          typeof last === 'string' ? /\]\(\.\/lessons\/([a-z0-9-]+)\//.exec(last)?.[1] : undefined
        return { id: slug, heading, group, lesson: lesson ?? null }
      },
    )
    if (id === resolved(ALL)) return `export const questionIndex = ${JSON.stringify(all)}`
    const first = all.filter(({ group }, at) => all.findIndex((other) => other.group === group) === at)
    return [
      `export const homeQuestions = ${JSON.stringify(first.map(({ id: slug, heading }) => ({ id: slug, heading })))}`,
      `export const questionCount = ${String(all.length)}`,
    ].join('\n')
  },
})
