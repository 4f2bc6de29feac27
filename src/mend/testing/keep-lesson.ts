/** For cli/keep-gradings.mjs: the recorded gradings of one lesson, with what its checks read. */
import { readFile } from 'node:fs/promises'
import { cheatsOf, mendFile } from '../../../cli/mend-files'
import { checksOf, mendOf } from '../grade'
import { keepGradings } from './kept-gradings'
import { unpackRecorded } from './recorded-gradings'

/** @throws Error where a program is no longer there. */
export async function keepLesson(lesson: string, recorded: Uint8Array): Promise<Uint8Array> {
  const mend = await mendOf(lesson)
  const files = new Map((await cheatsOf(lesson)).map(({ name, file }) => [name, file]))
  return await keepGradings(unpackRecorded(recorded), async (name, evidence) => {
    const file = name === 'start' || name === 'reference' ? mendFile(lesson, name) : files.get(name)
    if (file === undefined) throw new Error(`${lesson} has no program '${name}'.`)
    checksOf(mend, await readFile(file, 'utf8'), evidence)
  })
}
