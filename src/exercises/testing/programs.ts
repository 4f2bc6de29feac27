/** All programs of a rung: its start and reference, three wrong ones and two right ones. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { exerciseText, RUNGS } from './exercise-files'
import { programsIn } from '../edits'

interface Program {
  readonly name: string
  readonly source: string
}
interface RungPrograms {
  readonly start: string
  readonly reference: string
  /** The check that the start fails. */
  readonly startFails: string
  /** Mistakes that people make. */
  readonly wrong: readonly (Program & { readonly fails: string })[]
  readonly right: readonly Program[]
}

/** The other ways that the page shows: the last rung's right programs. */
async function waysOf(folder: string): Promise<readonly Program[]> {
  const files = await readdir(join(folder, 'ways'))
  return await Promise.all(
    files.map(async (name) => ({ name, source: await readFile(join(folder, 'ways', name), 'utf8') })),
  )
}

/** @throws Error where an edit cannot be made, or the start names no check. */
export async function programsOf(lesson: string, rung: number): Promise<RungPrograms> {
  const folder = join(import.meta.dirname, '../../lessons', lesson, 'mend')
  const isLast = rung === RUNGS
  const edits = await readFile(join(folder, isLast ? 'programs.edits' : `rung-${String(rung)}.edits`), 'utf8')
  const mend = {
    start: await exerciseText(lesson, 'start'),
    reference: await exerciseText(lesson, 'reference'),
  }
  const { start, reference, startFails, others } = programsIn(edits, mend)
  if (startFails === null) throw new Error(`${lesson}: the start of rung ${String(rung)} names no check.`)
  return {
    start,
    reference,
    startFails,
    wrong: others.flatMap(({ fails, ...program }) => (fails === null ? [] : [{ ...program, fails }])),
    right: isLast ? await waysOf(folder) : others.filter(({ fails }) => fails === null),
  }
}
