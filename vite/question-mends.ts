/**
 * `virtual:question-mends`: of each lesson with a mend the lines at fault and those that mend them, as the first rung's start and reference
 * differ. What is common to both is left out, but for what stands next to a change or round it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { programsIn } from '../src/exercises/edits'
import { figuresFor } from './figures'
import { highlight } from './highlight'
import { linesOfMend } from './mend-lines'
import { exported, virtualModules } from './virtual-modules'
import { hasMend, quotable, readLessons } from './words-md'
import { parseMend } from './words/mend'
import { namesOf } from './words/named'

const LESSONS = resolve(import.meta.dirname, '../src/lessons')

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
  const file = join(folder, ...words)
  const names = namesOf(await figuresFor(file))
  const { title } = parseMend(read(...words), file, names, await quotable())
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

export const questionMends = () =>
  virtualModules({
    'question-mends': async () => {
      const lessons = (await readLessons()).filter((lesson) => hasMend(lesson.id))
      const mends = await Promise.all(
        lessons.map(async (lesson) => [lesson.id, await mendOf(lesson.id)] as const),
      )
      return exported({ questionMends: Object.fromEntries(mends) })
    },
  })
