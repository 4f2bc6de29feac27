/**
 * Questions without their answers, for pages that only lead to them: `virtual:question-index`, all of them, and `virtual:home-questions`, the
 * first of each group. `virtual:search-index` has the words that a search looks through. And `virtual:question-figures`: of each lesson that a
 * question leads to what was recorded of it, for the picture that stands beside the answer.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { QuestionFigure } from 'virtual:question-figures'
import type { Recordings } from '../src/text/recorded'
import { recordedIn } from './recorded-figures'
import { namesFor } from './figures'
import { keyOf } from '../src/strips/marks'
import { readDeviceStrip, wholeStrips } from '../src/strips/of-device'
import type { Entry } from '../src/site/state/search'
import { MOST_STRIPS, thumbnailScene } from '../src/strips/thumbnail'
import { RECORDINGS, recordingBytes } from './recordings'
import { thumbnailKey } from './lesson-index'
import { exported, virtualModules } from './virtual-modules'
import { quotable, readLessons, type ReadLesson } from './words-md'
import { parseSections } from './words/sections'

const LESSONS = resolve(import.meta.dirname, '../src/lessons')

/** The file of a picture of the ranks that a lesson of profiles shows (src/ui/thumbnail-svg.ts). */
export const ranksPicture = (lesson: string): string => `${lesson}-ranks`

const isThere = (recording: string, rank: number) =>
  existsSync(join(RECORDINGS, `${recording}-rank${String(rank)}.json.gz`))

/** From 0 on. */
function ranksOf(recording: string): readonly number[] {
  const ranks: number[] = []
  while (isThere(recording, ranks.length)) ranks.push(ranks.length)
  return ranks
}

type Figure = Omit<QuestionFigure, 'device' | 'date'>

/** Of a lesson of profiles: those that it begins with, which its questions are about, rank by rank. */
const RANKS = { figure: 'work-ratio', words: 'computes' } as const

async function ofRanks(
  { id, shown }: ReadLesson & { readonly kind: 'profiles' },
  recorded: Recordings,
): Promise<Figure> {
  const rows = ranksOf(shown.recording).map((rank) => {
    const { value, unit } = recorded.figure(shown.recording, RANKS.figure, String(rank))
    return { variant: `rank ${String(rank)}`, value, unit }
  })
  const strips = await Promise.all(
    ranksOf(shown.recording).map((rank) =>
      readDeviceStrip(recordingBytes(`${shown.recording}-rank${String(rank)}.json.gz`)),
    ),
  )
  const drawn = thumbnailScene([wholeStrips(strips.flatMap((strip) => strip ?? []))], true)
  return { ...RANKS, key: keyOf(drawn?.marks ?? []), picture: ranksPicture(id), rows }
}

/** By lesson. */
async function figures(): Promise<Readonly<Record<string, QuestionFigure>>> {
  const lessons = await readLessons()
  const shown = lessons.flatMap((lesson) => (lesson.kind === 'profiles' ? [lesson.shown.recording] : []))
  const recorded = await recordedIn(shown)
  const found = await Promise.all(
    lessons.map(async (lesson): Promise<readonly (readonly [string, QuestionFigure])[]> => {
      const { id } = lesson
      if (lesson.kind === 'profiles')
        return [[id, { ...recorded.origin(lesson.shown.recording), ...(await ofRanks(lesson, recorded)) }]]
      const key = await thumbnailKey(lesson)
      if (!key) return []
      const { figure, words, variants } = lesson.excerpt
      const rows = variants.slice(-MOST_STRIPS).map((variant) => {
        const { value, unit } = recorded.figure(id, figure, variant)
        return { variant, value, unit }
      })
      return [[id, { ...recorded.origin(id), picture: id, figure, words, key, rows }]]
    }),
  )
  return Object.fromEntries(found.flat())
}

async function sectionsOf(name: string, watch: (file: string) => void) {
  const file = join(LESSONS, name)
  watch(file)
  return parseSections(readFileSync(file, 'utf8'), file, await namesFor(file), await quotable(), 'code')
}

async function questions(watch: (file: string) => void) {
  const read = await sectionsOf('questions.md', watch)
  return read.map(({ id: slug, heading, group = '', text }) => {
    const last = text.at(-1)
    const lesson = typeof last === 'string' ? /\]\(\.\/lessons\/([a-z0-9-]+)\//.exec(last)?.[1] : undefined
    return { id: slug, heading, group, lesson: lesson ?? null }
  })
}

/** What the search looks through: the first paragraph is shown. */
async function searched(watch: (file: string) => void): Promise<readonly Entry[]> {
  const entriesOf = async (kind: Entry['kind'], name: string) => {
    const read = await sectionsOf(name, watch)
    return read.map(({ id, heading: title, text }): Entry => {
      const [shown = '', ...more] = text.filter((part) => typeof part === 'string')
      return { kind, id, title, shown, more: more.join(' ') }
    })
  }
  const lessons = await readLessons()
  return [
    ...(await entriesOf('question', 'questions.md')),
    ...lessons.map(({ id, question, measures, objectives }): Entry => ({
      kind: 'lesson',
      id,
      title: question,
      shown: measures,
      more: [id, ...objectives].join(' '),
    })),
    ...(await entriesOf('word', 'glossary.md')),
  ]
}

export const questionIndex = () =>
  virtualModules({
    'question-index': async (watch) => exported({ questionIndex: await questions(watch) }),
    'home-questions': async (watch) => {
      const all = await questions(watch)
      const first = all.filter(({ group }, at) => all.findIndex((other) => other.group === group) === at)
      return exported({
        homeQuestions: first.map(({ id: slug, heading }) => ({ id: slug, heading })),
        questionCount: all.length,
      })
    },
    'search-index': async (watch) => exported({ searchIndex: await searched(watch) }),
    'question-figures': async () => exported({ questionFigures: await figures() }),
  })
