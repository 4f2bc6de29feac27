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

/** Absolute. @throws Error where the mend has no such program. */
export function mendFile(lesson: string, name: 'start' | 'reference'): string {
  const found = readdirSync(folderOf(lesson)).find((file) => file === `${name}.js` || file === `${name}.wgsl`)
  if (found === undefined) throw new Error(`The mend of '${lesson}' has no ${name}.`)
  return join(folderOf(lesson), found)
}

export const mendText = async (lesson: string, name: 'start' | 'reference'): Promise<string> =>
  await readFile(mendFile(lesson, name), 'utf8')

export interface CheatFile {
  readonly file: string
  /** Without its ending. */
  readonly name: string
  /** The check that it must fail, as its first line says: `// Fails 'output': …`. */
  readonly fails: string
}

/** Wrong and cheating programs of a lesson. @throws Error where one does not say what it must fail. */
export async function cheatsOf(lesson: string): Promise<readonly CheatFile[]> {
  const folder = join(folderOf(lesson), 'cheats')
  const files = existsSync(folder) ? readdirSync(folder) : []
  return await Promise.all(
    files.map(async (name) => {
      const file = join(folder, name)
      const [, fails] = /^\/\/ Fails '([a-z-]+)'/.exec(await readFile(file, 'utf8')) ?? []
      if (fails === undefined) throw new Error(`${file} must begin with: // Fails '<check>': why`)
      return { file, name: name.replace(/\.\w+$/, ''), fails }
    }),
  )
}
