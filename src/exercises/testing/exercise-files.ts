/** The mends for what runs in Node, where no bundler lists the folders: src/lessons/<id>/mend/. */
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { programsIn } from '../edits'

const LESSONS = join(import.meta.dirname, '../../lessons')
const exerciseFolder = (lesson: string): string => join(LESSONS, lesson, 'mend')

export const RUNGS = 2

export const lessonsWithExercise = (): readonly string[] =>
  readdirSync(LESSONS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(exerciseFolder(entry.name), 'mend.md')))
    .map(({ name }) => name)

async function lastText(lesson: string, name: 'start' | 'reference'): Promise<string> {
  const folder = exerciseFolder(lesson)
  const found = readdirSync(folder).find((file) => file === `${name}.js` || file === `${name}.wgsl`)
  if (found === undefined) throw new Error(`The mend of '${lesson}' has no ${name}.`)
  return await readFile(join(folder, found), 'utf8')
}

/** @throws Error where there is no such program. */
export async function exerciseText(
  lesson: string,
  name: 'start' | 'reference',
  rung = RUNGS,
): Promise<string> {
  if (rung === RUNGS) return await lastText(lesson, name)
  const edits = await readFile(join(exerciseFolder(lesson), `rung-${String(rung)}.edits`), 'utf8')
  const mend = { start: await lastText(lesson, 'start'), reference: await lastText(lesson, 'reference') }
  return programsIn(edits, mend)[name]
}
