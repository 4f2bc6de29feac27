/**
 * Lessons with a mend, and all programs of a rung, for what runs in Node, where no bundler lists
 * the folders: src/lessons/<id>/mend/.
 */
import { existsSync, readdirSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { programsIn } from '../edits'

const LESSONS = join(import.meta.dirname, '../../lessons')
const exerciseFolder = (lesson: string): string => join(LESSONS, lesson, 'mend')

export const RUNGS = 2

export const lessonsWithExercise = (): readonly string[] =>
  readdirSync(LESSONS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(exerciseFolder(entry.name), 'mend.md')))
    .map(({ name }) => name)

interface Program {
  readonly name: string
  readonly source: string
}
/** Its start and reference, three wrong ones and two right ones. */
interface RungPrograms {
  readonly start: string
  readonly reference: string
  /** The check that the start fails. */
  readonly startFails: string
  /** Mistakes that people make. */
  readonly wrong: readonly (Program & { readonly fails: string })[]
  readonly right: readonly Program[]
}

/** @throws Error where an edit cannot be made, or the start names no check. */
export async function programsOf(lesson: string, rung = RUNGS): Promise<RungPrograms> {
  const folder = exerciseFolder(lesson)
  const read = (file: string): Promise<string> => readFile(join(folder, file), 'utf8')
  const language = existsSync(join(folder, 'start.wgsl')) ? 'wgsl' : 'js'
  const mend = { start: await read(`start.${language}`), reference: await read(`reference.${language}`) }
  const { start, reference, startFails, others } = programsIn(await read('programs.edits'), rung, mend)
  if (startFails === null) throw new Error(`${lesson}: the start of rung ${String(rung)} names no check.`)
  const rightOfLast = async () =>
    await Promise.all(
      (await readdir(join(folder, 'right'))).map(async (name) => ({
        name,
        source: await read(join('right', name)),
      })),
    )
  return {
    start,
    reference,
    startFails,
    wrong: others.flatMap(({ fails, ...program }) => (fails === null ? [] : [{ ...program, fails }])),
    right: rung === RUNGS ? await rightOfLast() : others.filter(({ fails }) => fails === null),
  }
}

/** @throws Error where there is no such program. */
export const exerciseText = async (
  lesson: string,
  name: 'start' | 'reference',
  rung = RUNGS,
): Promise<string> => (await programsOf(lesson, rung))[name]
