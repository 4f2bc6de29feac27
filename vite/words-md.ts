/**
 * The files of words (src/lessons/**.md, src/experiments/<id>/verdict.md) as modules of plain data,
 * read while the site is built: no parser of Markdown or YAML reaches the visitor. A malformed file
 * fails the build, with its line.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Plugin } from 'vite'
import type { LessonFile } from '../src/lessons/lesson'
import type { Recordings } from '../src/text/recorded'
import { allFigures, figuresFile, namesFor, unsaidFor } from './figures'
import { forget, once } from './once'
import { recordedIn } from './recorded-figures'
import { dataModule } from './data-module'
import { WordsFault } from './words/blocks'
import { parseLesson } from './words/lesson'
import { parseExercise } from './words/exercise'
import { filesQuoted } from './words/named'
import { parseSections } from './words/sections'
import { parseVerdict } from './words/verdict'

const LESSONS = resolve(import.meta.dirname, '../src/lessons')
const EXPERIMENTS = resolve(import.meta.dirname, '../src/experiments')

export const wordsFiles = (): readonly string[] =>
  readdirSync(LESSONS, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join(LESSONS, path))

/** What all files of words may quote. */
export const quotable = (): Promise<Recordings> =>
  once('quotable', async () => {
    const quoted = [...(await allFigures()).values()].flatMap(filesQuoted)
    // '{premise slower of LESSON/STEP}'
    const named = wordsFiles().flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(/\{premise [^}]* of ([^}\s]+)\}/g),
    ])
    return await recordedIn([...quoted, ...named.map(([, name = '']) => name)])
  })

const lessonOf = (file: string, source: string, recordings: Recordings): Promise<LessonFile> =>
  once(`lesson ${file} ${source}`, async () =>
    parseLesson(source, file, basename(dirname(file)), recordings, await namesFor(file)),
  )

/** A Markdown file of another name is no module of words. */
async function moduleOf(file: string, source: string, recordings: Recordings) {
  const name = basename(file)
  const names = await namesFor(file)
  // What is undefined is not written: the page of teachers has the objectives (site-data.ts).
  if (name === 'lesson.md')
    return { words: { ...(await lessonOf(file, source, recordings)), objectives: undefined } }
  if (name === 'verdict.md') return { rules: parseVerdict(source, file, names, recordings.figure) }
  if (name === 'mend.md') return { mend: parseExercise(source, file, names, recordings) }
  // What only reads words, as commands do, reads no profiles.
  if (name === 'choices.md')
    return { choices: await (await import('./recorded-choices')).choicesOf(source, file, recordings) }
  if (dirname(file) !== LESSONS) return null
  const sections = parseSections(source, file, names, recordings, MORE[name])
  return { sections: await Promise.all(sections.map(coloured)) }
}

/** What only reads words, as commands do, loads no highlighter. */
const coloured = async ({ code, ...section }: ReturnType<typeof parseSections>[number]) =>
  code
    ? { ...section, code: await (await import('./highlight')).highlight(code.text, `code.${code.language}`) }
    : section

/** Files of sections that hold more than words. */
const MORE: Readonly<Record<string, Parameters<typeof parseSections>[4]>> = {
  'method.md': 'tables',
  'questions.md': 'code',
  'reference.md': 'tables',
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
        if (existsSync(figuresFile(id))) this.addWatchFile(figuresFile(id))
        const recordings = await quotable()
        const [spare] = await unsaidFor(id)
        if (spare !== undefined)
          return this.error({
            message: `No words say '${spare}'.`,
            loc: { file: figuresFile(id), line: 1, column: 0 },
          })
        const values = await once(`module ${id} ${source}`, () => moduleOf(id, source, recordings))
        return values && dataModule(values)
      } catch (thrown) {
        if (!(thrown instanceof WordsFault)) throw thrown
        return this.error({ message: thrown.what, loc: { file: thrown.file, line: thrown.line, column: 0 } })
      }
    },
  },
})

export const hasExercise = (id: string): boolean => existsSync(join(LESSONS, id, 'mend', 'mend.md'))

export type ReadLesson = LessonFile & { readonly id: string; readonly file: string }

/** All lessons' words by their folder's name, for what is built of all of them. */
export const readLessons = (): Promise<readonly ReadLesson[]> =>
  once('lessons', async () => {
    const recordings = await quotable()
    const read = readdirSync(LESSONS)
      .map((id) => ({ id, file: join(LESSONS, id, 'lesson.md') }))
      .filter(({ file }) => existsSync(file))
      .map(async ({ id, file }) => ({
        ...(await lessonOf(file, readFileSync(file, 'utf8'), recordings)),
        id,
        file,
      }))
    return (await Promise.all(read)).toSorted((a, b) => a.number - b.number)
  })
