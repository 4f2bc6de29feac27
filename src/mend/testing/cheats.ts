/** The wrong and cheating programs of a mend: src/lessons/<id>/mend/cheats/. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const LESSONS = join(import.meta.dirname, '../../lessons')

interface Cheat {
  /** Of its file, without the ending. */
  readonly name: string
  readonly source: string
  /** The check that it must fail, as its first line says: `// Fails 'output': …`. */
  readonly fails: string
}

/** @throws Error where one does not say what it must fail. */
export async function cheatsOf(lesson: string): Promise<readonly Cheat[]> {
  const folder = join(LESSONS, lesson, 'mend/cheats')
  return await Promise.all(
    (await readdir(folder)).map(async (file) => {
      const source = await readFile(join(folder, file), 'utf8')
      const [, fails] = /^\/\/ Fails '([a-z-]+)'/.exec(source) ?? []
      if (fails === undefined) throw new Error(`${file} must begin with: // Fails '<check>': why`)
      return { name: file.replace(/\.\w+$/, ''), source, fails }
    }),
  )
}
