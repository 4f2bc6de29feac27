/**
 * `virtual:question-mends`: of each lesson with a mend the lines at fault and those that mend them, as the first rung's start and reference
 * differ. What is common to both is left out, but for what stands next to a change or round it.
 */
import { diff } from '@codemirror/merge'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Plugin } from 'vite'
import { programsIn } from '../src/mend/edits'
import { highlight } from './highlight'
import { recordedIn } from './recorded-figures'
import { hasMend, readLessons } from './words-md'
import { parseMend } from './words/mend'

const LESSONS = resolve(import.meta.dirname, '../src/lessons')
const NAME = 'virtual:question-mends'
const RESOLVED = `\0${NAME}`

type Sign = '' | '-' | '+'
interface Row<Line> {
  readonly sign: Sign
  readonly text: string
  readonly line: Line
}

/** One character for each line, so that what compares characters compares lines: Unicode's private ones, of which there are 6400. */
function asCharacters(texts: readonly (readonly string[])[]): readonly string[] {
  const known = new Map<string, string>()
  const characterOf = (line: string): string => {
    const character = known.get(line) ?? String.fromCharCode(0xe0_00 + known.size)
    known.set(line, character)
    return character
  }
  return texts.map((lines) => lines.map(characterOf).join(''))
}

/** All lines of both in one order: what is only in the first before what takes its place. */
function merged<Line>(
  [before, after]: readonly [readonly string[], readonly string[]],
  [old, mended]: readonly [readonly Line[], readonly Line[]],
): readonly Row<Line>[] {
  const rows: Row<Line>[] = []
  const add = (sign: Sign, texts: readonly string[], lines: readonly Line[], from: number, to: number) => {
    for (let at = from; at < to; at += 1) {
      const [text, line] = [texts[at], lines[at]]
      if (text !== undefined && line !== undefined) rows.push({ sign, text, line })
    }
  }
  const [a = '', b = ''] = asCharacters([before, after])
  let done = 0
  for (const { fromA, toA, fromB, toB } of diff(a, b)) {
    add('', before, old, done, fromA)
    add('-', before, old, fromA, toA)
    add('+', after, mended, fromB, toB)
    done = toA
  }
  add('', before, old, done, before.length)
  return rows.filter(({ sign, text }) => sign === '' || text.trim() !== '')
}

const indent = (text: string): number => text.search(/\S|$/)

/** Changed lines, their neighbours, and the loops and branches that they stand in. */
function shown(rows: readonly Row<unknown>[]): ReadonlySet<number> {
  const kept = new Set<number>()
  for (const [at, { sign, text }] of rows.entries()) {
    if (sign === '') continue
    for (const near of [at - 1, at, at + 1]) if ((rows[near]?.text.trim() ?? '') !== '') kept.add(near)
    let within = indent(text)
    for (let above = at - 1; above >= 0 && within > 0; above -= 1) {
      const row = rows[above]
      if (!row || row.text.trim() === '' || indent(row.text) >= within) continue
      within = indent(row.text)
      if (within > 0) kept.add(above)
    }
  }
  return kept
}

/** @returns null for lines that are left out between two. */
export function linesOfMend<Line>(
  texts: readonly [readonly string[], readonly string[]],
  lines: readonly [readonly Line[], readonly Line[]],
): readonly (Pick<Row<Line>, 'sign' | 'line'> | null)[] {
  const rows = merged(texts, lines)
  const kept = shown(rows)
  const seen = [...kept].sort((a, b) => a - b)
  return seen.flatMap((at, index) => {
    const row = rows[at]
    const isNext = index === 0 || seen[index - 1] === at - 1
    return row ? [...(isNext ? [] : [null]), { sign: row.sign, line: row.line }] : []
  })
}

/** What a program says of itself in its first lines, and the rest. */
function parted(source: string): { readonly said: string; readonly from: number } {
  const lines = source.split('\n')
  const end = lines.findIndex((line) => !line.startsWith('//'))
  return { said: (lines[0] ?? '').replace(/^\/\/ */, ''), from: end }
}

async function mendOf(id: string) {
  const folder = join(LESSONS, id, 'mend')
  const read = (...file: readonly string[]) => readFileSync(join(folder, ...file), 'utf8')
  const language = readdirSync(folder).includes('start.js') ? 'js' : 'wgsl'
  const isRung = existsSync(join(folder, 'rung-1'))
  const whole = { start: read(`start.${language}`), reference: read(`reference.${language}`) }
  const { start, reference } = programsIn(isRung ? read('rung-1', 'programs.edits') : '', whole)
  const words = isRung ? ['rung-1', 'mend.md'] : ['mend.md']
  const source = read(...words)
  const { title } = parseMend(source, join(folder, ...words), await recordedIn([source]))
  const [old, mended] = [parted(start), parted(reference)]
  const textsFrom = (text: string, from: number) => text.replace(/\n$/, '').split('\n').slice(from)
  const tokensFrom = async (text: string, from: number) =>
    (await highlight(text, `program.${language}`)).slice(from)
  return {
    title,
    fault: old.said,
    mended: mended.said,
    lines: linesOfMend(
      [textsFrom(start, old.from), textsFrom(reference, mended.from)],
      [await tokensFrom(start, old.from), await tokensFrom(reference, mended.from)],
    ),
  }
}

export const questionMends = (): Plugin => ({
  name: 'question-mends',
  resolveId: (id) => (id === NAME ? RESOLVED : null),
  async load(id) {
    if (id !== RESOLVED) return null
    const lessons = (await readLessons()).filter((lesson) => hasMend(lesson.id))
    const mends = await Promise.all(
      lessons.map(async (lesson) => [lesson.id, await mendOf(lesson.id)] as const),
    )
    return `export const questionMends = ${JSON.stringify(Object.fromEntries(mends))}`
  },
})
