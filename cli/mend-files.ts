/** The mends for what runs in Node, where no bundler lists the folders: src/lessons/<id>/mend/, and the rungs before the last within. */
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { programsIn } from '../src/exercises/edits'

const LESSONS = join(import.meta.dirname, '../src/lessons')
const mendFolder = (lesson: string): string => join(LESSONS, lesson, 'mend')
const lowerRung = (lesson: string, rung: number): string => join(mendFolder(lesson), `rung-${String(rung)}`)

export const lessonsWithMend = (): readonly string[] =>
  readdirSync(LESSONS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(mendFolder(entry.name), 'mend.md')))
    .map(({ name }) => name)

/** How many rungs a mend has. */
export function rungsOf(lesson: string): number {
  let rungs = 1
  while (existsSync(join(lowerRung(lesson, rungs), 'mend.md'))) rungs += 1
  return rungs
}

async function lastText(lesson: string, name: 'start' | 'reference'): Promise<string> {
  const folder = mendFolder(lesson)
  const found = readdirSync(folder).find((file) => file === `${name}.js` || file === `${name}.wgsl`)
  if (found === undefined) throw new Error(`The mend of '${lesson}' has no ${name}.`)
  return await readFile(join(folder, found), 'utf8')
}

/** @param rung the last where none is named. @throws Error where there is no such program. */
export async function mendText(
  lesson: string,
  name: 'start' | 'reference',
  rung = rungsOf(lesson),
): Promise<string> {
  if (rung === rungsOf(lesson)) return await lastText(lesson, name)
  const edits = await readFile(join(lowerRung(lesson, rung), 'programs.edits'), 'utf8')
  const mend = { start: await lastText(lesson, 'start'), reference: await lastText(lesson, 'reference') }
  return programsIn(edits, mend)[name]
}
