/**
 * The files of words (src/lessons/**.md, src/experiments/<id>/verdict.md) as modules of plain data, read while the site is built: no parser
 * of Markdown or YAML reaches the visitor. A malformed file fails the build, with its line.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Plugin } from 'vite'
import type { LessonFile } from '../src/lessons/lesson'
import type { Recordings } from '../src/text/recorded'
import { forget, once } from './once'
import { recordedIn } from './recorded-figures'
import { WordsFault } from './words/blocks'
import { parseLesson } from './words/lesson'
import { parseMend } from './words/mend'
import { NO_PASSAGES, parsePassages, type Passages } from './words/passages'
import { parseSections } from './words/sections'
import { parseVerdict } from './words/verdict'

const LESSONS = resolve(import.meta.dirname, '../src/lessons')
const EXPERIMENTS = resolve(import.meta.dirname, '../src/experiments')

/** What all files of words may quote. */
export const quotable = (folders: readonly string[] = [LESSONS, EXPERIMENTS]): Promise<Recordings> =>
  once(`quotable ${folders.join(' ')}`, async () => {
    const files = folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.md'))
        .map((path) => readFileSync(join(folder, path), 'utf8')),
    )
    return await recordedIn(files)
  })

/** What the lessons of a folder share; a folder without the file shares nothing. */
const passagesFile = (folder: string): string => join(folder, 'passages.md')
function passagesIn(folder: string): Passages {
  const file = passagesFile(folder)
  return existsSync(file) ? parsePassages(readFileSync(file, 'utf8'), file) : NO_PASSAGES
}

const lessonOf = (file: string, source: string, recordings: Recordings): LessonFile =>
  once(`lesson ${file} ${source}`, () =>
    parseLesson(source, file, basename(dirname(file)), recordings, passagesIn(dirname(dirname(file)))),
  )

/** A Markdown file of another name is no module of words. */
function moduleOf(file: string, source: string, recordings: Recordings): string | null {
  // What is undefined is not written: the page of teachers has the objectives (lesson-index.ts).
  if (basename(file) === 'lesson.md')
    return `export const words = ${JSON.stringify({ ...lessonOf(file, source, recordings), objectives: undefined })}`
  if (basename(file) === 'verdict.md')
    return `export const rules = ${JSON.stringify(parseVerdict(source, file, recordings.figure))}`
  if (basename(file) === 'mend.md')
    return `export const words = ${JSON.stringify(parseMend(source, file, recordings))}`
  if (dirname(file) === LESSONS)
    return `export const sections = ${JSON.stringify(parseSections(source, file, recordings))}`
  return null
}

export const filesOfWords = (): Plugin => ({
  name: 'files-of-words',
  enforce: 'pre',
  watchChange: forget,
  transform: {
    filter: { id: /\/(lessons|experiments)\/.*\.md$/ },
    async handler(source, id) {
      if (![LESSONS, EXPERIMENTS].some((folder) => id.startsWith(folder))) return null
      try {
        if (basename(id) === 'lesson.md') this.addWatchFile(passagesFile(LESSONS))
        const recordings = await quotable()
        const code = once(`module ${id} ${source}`, () => moduleOf(id, source, recordings))
        return code === null ? null : { code, moduleType: 'js', map: null }
      } catch (thrown) {
        if (!(thrown instanceof WordsFault)) throw thrown
        return this.error({ message: thrown.what, loc: { file: thrown.file, line: thrown.line, column: 0 } })
      }
    },
  },
})

export const hasMend = (id: string, folder = LESSONS): boolean =>
  existsSync(join(folder, id, 'mend', 'mend.md'))

export type ReadLesson = LessonFile & { readonly id: string; readonly file: string }

/** All lessons' words by their folder's name, for what is built of all of them. */
export const readLessons = (folder = LESSONS): Promise<readonly ReadLesson[]> =>
  once(`lessons ${folder}`, async () => {
    const recordings = await (folder === LESSONS ? quotable() : quotable([folder]))
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, 'lesson.md')))
      .map(({ name: id }) => {
        const file = join(folder, id, 'lesson.md')
        return { ...lessonOf(file, readFileSync(file, 'utf8'), recordings), id, file }
      })
      .sort((a, b) => a.number - b.number)
  })
