/** The wrong and right programs of a lesson's mend, from the edits in its folder. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mendFolder, mendText } from '../../../cli/mend-files'
import { FAMILIES, programsIn, type EditedProgram, type Family } from './edits'

export interface WrongProgram extends EditedProgram {
  readonly kind: Family
  readonly fails: string
}

const programsOf = async (lesson: string, file: string): Promise<readonly EditedProgram[]> =>
  programsIn(await readFile(join(mendFolder(lesson), file), 'utf8'), {
    start: await mendText(lesson, 'start'),
    reference: await mendText(lesson, 'reference'),
  })

const isWrong = (program: EditedProgram): program is WrongProgram =>
  program.fails !== null && FAMILIES.some((family) => family === program.kind)

/** @throws Error where one names no family, or no check. */
export async function wrongPrograms(lesson: string): Promise<readonly WrongProgram[]> {
  return (await programsOf(lesson, 'wrong.edits')).map((program) => {
    if (!isWrong(program))
      throw new Error(`${lesson}: ${program.name} must name its family, and a check that it fails.`)
    return program
  })
}
