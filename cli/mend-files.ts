/** The mends for what runs in Node, where no bundler lists the folders: src/lessons/<id>/mend/. */
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const LESSONS = join(import.meta.dirname, '../src/lessons')
const folderOf = (lesson: string): string => join(LESSONS, lesson, 'mend')

export const lessonsWithMend = (): readonly string[] =>
  readdirSync(LESSONS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(folderOf(entry.name), 'mend.md')))
    .map(({ name }) => name)

/** @throws Error where the mend has no such program. */
export async function mendText(lesson: string, name: 'start' | 'reference'): Promise<string> {
  const found = readdirSync(folderOf(lesson)).find((file) => file === `${name}.js` || file === `${name}.wgsl`)
  if (found === undefined) throw new Error(`The mend of '${lesson}' has no ${name}.`)
  return await readFile(join(folderOf(lesson), found), 'utf8')
}
