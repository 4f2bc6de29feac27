/**
 * Questions without their answers, for pages that only lead to them; what a search looks through;
 * and the figures beside answers.
 */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { recordedIn } from './recorded-figures'
import { namesFor } from './figures'
import { keyOf } from '../src/strips/marks'
import type { Entry } from '../src/site/state/search'
import { MOST_STRIPS } from '../src/strips/thumbnail'
import { ranksOf, ranksThumbnail, thumbnailOf } from './thumbnails'
import { quotable, readLessons, type ReadLesson } from './words-md'
import { parseSections } from './words/sections'

const LESSONS = resolve(import.meta.dirname, '../src/lessons')

/** The file of a picture of the ranks that a lesson of profiles shows (src/ui/thumbnail-svg.ts). */
export const ranksPicture = (lesson: string): string => `${lesson}-ranks`

/**
 * Of a lesson of profiles: those that it begins with, which its questions are about, rank by rank.
 */
const RANKS = { figure: 'work-ratio', words: 'computes' } as const

/**
 * What stands beside the answer to a question that leads to a lesson: what was recorded there. By
 * the lesson's id.
 */
export async function questionFigures() {
  const lessons = await readLessons()
  const recorded = await recordedIn(
    lessons.flatMap((lesson) => (lesson.kind === 'profiles' ? [lesson.shown.recording] : [])),
  )
  const figureOf = async (lesson: ReadLesson) => {
    const isOfRanks = lesson.kind === 'profiles'
    const drawn = await (isOfRanks ? ranksThumbnail(lesson) : thumbnailOf(lesson))
    if (!drawn) return null
    const file = isOfRanks ? lesson.shown.recording : lesson.id
    const { figure, words } = isOfRanks ? RANKS : lesson.excerpt
    const variants = isOfRanks
      ? ranksOf(lesson).map((_, rank) => String(rank))
      : lesson.excerpt.variants.slice(-MOST_STRIPS)
    const rows = variants.map((variant) => {
      const { value, unit } = recorded.figure(file, figure, variant)
      return { variant: isOfRanks ? `rank ${variant}` : variant, value, unit }
    })
    const picture = isOfRanks ? ranksPicture(lesson.id) : lesson.id
    // `picture`: of 'thumbnails/', without its ending; `words` stand before the value of `figure`.
    return { ...recorded.origin(file), picture, figure, words, key: keyOf(drawn.marks), rows }
  }
  const found = await Promise.all(
    lessons.map(async (lesson) => [lesson.id, (await figureOf(lesson)) ?? undefined] as const),
  )
  return {
    questionFigures: Object.fromEntries(found) as Readonly<
      Partial<Record<string, NonNullable<(typeof found)[number][1]>>>
    >,
  }
}

async function sectionsIn(name: string) {
  const file = join(LESSONS, name)
  return parseSections(readFileSync(file, 'utf8'), file, await namesFor(file), await quotable(), 'code')
}

export async function questionIndex() {
  const read = await sectionsIn('questions.md')
  const heads = read.map(({ id, heading, group = '', text }) => {
    const last = text.at(-1)
    const lesson = typeof last === 'string' ? /\]\(\.\/lessons\/([a-z0-9-]+)\//.exec(last)?.[1] : undefined
    /** `lesson`: where it is measured; null: not in a lesson. */
    return { id, heading, group, lesson: lesson ?? null }
  })
  return { questionIndex: heads }
}

/** The first of each group, and how many there are in all. */
export async function homeQuestions() {
  const { questionIndex: all } = await questionIndex()
  const first = all.filter(({ group }, at) => all.findIndex((other) => other.group === group) === at)
  return { homeQuestions: first.map(({ id, heading }) => ({ id, heading })), questionCount: all.length }
}

/** What the search looks through: the first paragraph is shown. */
export async function searchIndex() {
  const entriesOf = async (kind: Entry['kind'], name: string) =>
    (await sectionsIn(name)).map(({ id, heading: title, text }): Entry => {
      const [shown = '', ...more] = text.filter((part) => typeof part === 'string')
      return { kind, id, title, shown, more: more.join(' ') }
    })
  const lessons = (await readLessons()).map(
    ({ id, question: title, measures: shown, objectives }): Entry => ({
      kind: 'lesson',
      id,
      title,
      shown,
      more: [id, ...objectives].join(' '),
    }),
  )
  return {
    searchIndex: [
      ...(await entriesOf('question', 'questions.md')),
      ...lessons,
      ...(await entriesOf('word', 'glossary.md')),
    ],
  }
}
