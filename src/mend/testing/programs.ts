/** The wrong and right programs of a lesson's mend, from the edits in its folder and those that all mends share. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mendText } from '../../../cli/mend-files'
import { programsIn, type EditedProgram } from '../edits'
import { absentIn, FAMILIES, type Family } from './families'

export interface WrongProgram extends EditedProgram {
  readonly kind: Family
  readonly fails: string
}

/** Which check the unchanged program of a mend’s last rung fails. */
export const START_FAILS: Readonly<Record<string, string>> = {
  'async-submission': 'output',
  collectives: 'bytes',
  'command-queue': 'submits',
  'kernel-ladder': 'time',
  'overlapped-uploads': 'overlap',
  'pipeline-bubble': 'kept',
  ranks: 'goes-on',
  'staging-buffers': 'buffers',
  'starved-by-the-loader': 'ahead',
  'stay-on-device': 'stays',
  'streams-and-events': 'early',
  'sync-stalls': 'ahead',
  'tensor-residence': 'bytes',
  'transfer-cost': 'waits',
  'worth-it': 'regret',
}

const isWrong = (program: EditedProgram): program is WrongProgram =>
  program.fails !== null && FAMILIES.some((family) => family === program.kind)

const mendFolder = (lesson: string): string => join(import.meta.dirname, '../../lessons', lesson, 'mend')

/** Cheats that are the same in every mend in JavaScript. */
const SHARED = join(import.meta.dirname, 'shared.edits')

async function basesOf(lesson: string): Promise<Readonly<Record<EditedProgram['base'], string>>> {
  return { start: await mendText(lesson, 'start'), reference: await mendText(lesson, 'reference') }
}
const isInJavaScript = (lesson: string): boolean => existsSync(join(mendFolder(lesson), 'reference.js'))

function expectWrong(lesson: string, program: EditedProgram): WrongProgram {
  if (isWrong(program)) return program
  throw new Error(`${lesson}: ${program.name} must name its family, and a check that it fails.`)
}

/** Those of the mend's own first. @throws Error where one names no family, or no check. */
export async function wrongPrograms(lesson: string): Promise<readonly WrongProgram[]> {
  const bases = await basesOf(lesson)
  const files = [join(mendFolder(lesson), 'wrong.edits'), ...(isInJavaScript(lesson) ? [SHARED] : [])]
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  return texts
    .flatMap((text) => programsIn(text, bases).others)
    .map((program) => expectWrong(lesson, program))
}

/** Honest programs in other styles than the reference's. @throws Error where one names a check. */
export async function rightPrograms(lesson: string): Promise<readonly EditedProgram[]> {
  const text = await readFile(join(mendFolder(lesson), 'right.edits'), 'utf8')
  return programsIn(text, await basesOf(lesson)).others.map((program) => {
    if (program.fails !== null) throw new Error(`${lesson}: ${program.name} is right: it fails no check.`)
    return program
  })
}

/** The programs of a rung before the last. @throws Error where a wrong one names no family, or the start no check. */
export async function lowerRungPrograms(lesson: string, rung: number) {
  const text = await readFile(join(mendFolder(lesson), `rung-${String(rung)}`, 'programs.edits'), 'utf8')
  const { others, startFails, ...two } = programsIn(text, await basesOf(lesson))
  if (startFails === null) throw new Error(`${lesson}: the start of rung ${String(rung)} names no check.`)
  return {
    ...two,
    startFails,
    wrong: others.filter(({ fails }) => fails !== null).map((program) => expectWrong(lesson, program)),
    right: others.filter(({ fails }) => fails === null),
  }
}

/** Families that a mend has no cheat of, and why they do not apply. */
export const absentFamilies = async (lesson: string): Promise<ReadonlyMap<Family, string>> =>
  absentIn(await readFile(join(mendFolder(lesson), 'wrong.edits'), 'utf8'))
