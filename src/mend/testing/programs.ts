/** The wrong and right programs of a lesson's mend, from the edits in its folder and those that all mends share. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mendText } from '../../../cli/mend-files'
import { absentIn, FAMILIES, programsIn, type EditedProgram, type Family } from './edits'

export interface WrongProgram extends EditedProgram {
  readonly kind: Family
  readonly fails: string
}

const isWrong = (program: EditedProgram): program is WrongProgram =>
  program.fails !== null && FAMILIES.some((family) => family === program.kind)

const folderOf = (lesson: string): string => join(import.meta.dirname, '../../lessons', lesson, 'mend')

/** Cheats that are the same in every mend in JavaScript. */
const SHARED = join(import.meta.dirname, 'shared.edits')

async function basesOf(lesson: string): Promise<Readonly<Record<EditedProgram['base'], string>>> {
  return { start: await mendText(lesson, 'start'), reference: await mendText(lesson, 'reference') }
}
const isInJavaScript = (lesson: string): boolean => existsSync(join(folderOf(lesson), 'reference.js'))

/** Those of the mend's own first. @throws Error where one names no family, or no check. */
export async function wrongPrograms(lesson: string): Promise<readonly WrongProgram[]> {
  const bases = await basesOf(lesson)
  const files = [join(folderOf(lesson), 'wrong.edits'), ...(isInJavaScript(lesson) ? [SHARED] : [])]
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  return texts
    .flatMap((text) => programsIn(text, bases))
    .map((program) => {
      if (!isWrong(program))
        throw new Error(`${lesson}: ${program.name} must name its family, and a check that it fails.`)
      return program
    })
}

/** Honest programs in other styles than the reference's. @throws Error where one names a check. */
export async function rightPrograms(lesson: string): Promise<readonly EditedProgram[]> {
  const text = await readFile(join(folderOf(lesson), 'right.edits'), 'utf8')
  return programsIn(text, await basesOf(lesson)).map((program) => {
    if (program.fails !== null) throw new Error(`${lesson}: ${program.name} is right: it fails no check.`)
    return program
  })
}

/** Families that a mend has no cheat of, and why they do not apply. */
export const absentFamilies = async (lesson: string): Promise<ReadonlyMap<Family, string>> =>
  absentIn(await readFile(join(folderOf(lesson), 'wrong.edits'), 'utf8'))
