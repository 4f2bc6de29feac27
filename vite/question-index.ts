/** Questions without their answers, for pages that only lead to them; what a search looks through; and the figures beside answers. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Quantity } from '../src/text/figure'
import type { RecordedOrigin, Recordings } from '../src/text/recorded'
import { recordedIn } from './recorded-figures'
import { namesFor } from './figures'
import { keyOf, type KeyEntry } from '../src/strips/marks'
import { readDeviceStrip, wholeStrips } from '../src/strips/of-device'
import type { Entry } from '../src/site/state/search'
import { MOST_STRIPS, thumbnailScene } from '../src/strips/thumbnail'
import { RECORDINGS, recordingBytes } from './recordings'
import { thumbnailKey } from './lesson-index'
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

/** What stands beside the answer to a question that leads to a lesson: what was recorded there. */
interface QuestionFigure extends RecordedOrigin {
  /** Of 'thumbnails/', without its ending. */
  readonly picture: string
  /** What is in it. */
  readonly key: readonly KeyEntry[]
  /** Its metric, and the words before its value. */
  readonly figure: string
  readonly words: string
  readonly rows: readonly (Pick<Quantity, 'value' | 'unit'> & { readonly variant: string })[]
}
type Figure = Omit<QuestionFigure, keyof RecordedOrigin>

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

/** By the id of a lesson. */
export async function questionFigures() {
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
  return {
    questionFigures: Object.fromEntries(found.flat()) as Readonly<Record<string, QuestionFigure | undefined>>,
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
