/** The mends for what runs in Node, where no bundler lists the folders: src/lessons/<id>/mend/. */
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const LESSONS = join(import.meta.dirname, '../src/lessons')
/** Of a rung: the first is the mend's own folder. */
const mendFolder = (lesson: string, rung = 1): string =>
  join(LESSONS, lesson, 'mend', ...(rung === 1 ? [] : [`rung-${String(rung)}`]))

export const lessonsWithMend = (): readonly string[] =>
  readdirSync(LESSONS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(mendFolder(entry.name), 'mend.md')))
    .map(({ name }) => name)

/** How many rungs a mend has. */
export function rungsOf(lesson: string): number {
  let rungs = 0
  while (existsSync(join(mendFolder(lesson, rungs + 1), 'mend.md'))) rungs += 1
  return rungs
}

/** @throws Error where the rung has no such program. */
export async function mendText(lesson: string, name: 'start' | 'reference', rung = 1): Promise<string> {
  const folder = mendFolder(lesson, rung)
  const found = readdirSync(folder).find((file) => file === `${name}.js` || file === `${name}.wgsl`)
  if (found === undefined) throw new Error(`Rung ${String(rung)} of the mend of '${lesson}' has no ${name}.`)
  return await readFile(join(folder, found), 'utf8')
}
