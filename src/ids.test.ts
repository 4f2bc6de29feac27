/**
 * A lesson and an experiment are registered by the names of their folders: code elsewhere names
 * none of them, so that one more needs no change there.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const PARENTS = ['src/experiments', 'src/lessons'] as const
/** What makes a folder an experiment, or a lesson. */
const MARKS = ['meta.ts', 'lesson.md']

const folders = PARENTS.flatMap((parent) =>
  readdirSync(join(ROOT, parent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .filter(({ name }) => readdirSync(join(ROOT, parent, name)).some((file) => MARKS.includes(file)))
    .map(({ name }) => ({ id: name, path: `${parent}/${name}/` })),
)
const ids = [...new Set(folders.map(({ id }) => id))]
/**
 * An id of one word is a word of the language too: it counts as part of a path or an address, or
 * where it is said to be one.
 */
const patternOf = (id: string): string =>
  id.includes('-')
    ? `(?<![\\w-])${id}(?![\\w-])`
    : `((experiment|lesson|run)s?/|([iI]d|[eE]xperiment|[lL]esson)\\W+['"\`])(?<![\\w-])${id}(?![\\w-])`
const namedBy = (id: string) => new RegExp(patternOf(id))
const isNamed = (line: string): boolean => patterns.some((pattern) => pattern.test(line))
const patterns = ids.map(namedBy)

/** The site’s one picture and the README’s are of one lesson, and say of which. */
const PICTURES = ['src/site/ui/first-paint.tsx', 'cli/picture-quotes.ts']

/** A profile's constants name the recordings that they were read off: files, not code. */
const MACHINES = 'src/model/machines/'

/** It quotes recordings of lessons for the words beside it, questions and the page 'Method'. */
const QUOTATIONS = 'src/lessons/figures.ts'

/** Code that is no test and in none of the folders. */
function files(): readonly string[] {
  return ['src', 'vite', 'cli']
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(
        (path) => `${folder}/${path.split(sep).join('/')}`,
      ),
    )
    .filter((path) => /\.(ts|tsx|mjs|css)$/.test(path))
    .filter((path) => !/\.test\.tsx?$|\/testing\//.test(path))
    .filter((path) => !PICTURES.includes(path) && !path.startsWith(MACHINES) && path !== QUOTATIONS)
    .filter((path) => !folders.some((folder) => path.startsWith(folder.path)))
}

it('no lesson or experiment is named outside its folder', () => {
  expect(ids.length).toBeGreaterThanOrEqual(5)
  const found = files().flatMap((path) =>
    readFileSync(join(ROOT, path), 'utf8')
      .split('\n')
      .flatMap((line, index) => (isNamed(line) ? [`${path}:${String(index + 1)}: ${line.trim()}`] : [])),
  )
  expect(found).toEqual([])
})

it('finds a name where there is one', () => {
  const [id = ''] = ids
  expect(isNamed(`'${id}'`)).toBe(true)
  expect(isNamed(`x-${id}-y`)).toBe(false)
  const [word = ''] = ids.filter((each) => !each.includes('-'))
  for (const line of [
    `'../lessons/${word}/x'`,
    `id === '${word}'`,
    `findExperiment('${word}')`,
    `./run/${word}/`,
  ])
    expect(isNamed(line), line).toBe(true)
  expect(isNamed(`{ ${word}: '${word}' }`)).toBe(false)
})
