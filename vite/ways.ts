/**
 * `mend/ways/<name>.js?way` (or `.wgsl?way`): another way to mend than the lab's own, as the page shows it. Its first line is a comment that
 * says what is different about it.
 */
import { readFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import type { Plugin } from 'vite'
import type { Way } from '../src/exercises/words'
import { highlight } from './highlight'
import { changedLines } from './changed-lines'
import { dataModule } from './virtual-modules'

const ID = /\/mend\/ways\/[\w-]+\.(?:js|wgsl)\?way$/

/** Without the comment in its first line. */
const bodyOf = (text: string): readonly string[] => text.split('\n').slice(1)

/** @throws Error where its first line is no comment. */
async function wayOf(file: string, reference: string): Promise<Omit<Way, 'name'>> {
  const source = await readFile(file, 'utf8')
  const why = /^\/\/ (\S.*\.)\n/.exec(source)?.[1]
  if (why === undefined)
    throw new Error(`${file}: the first line should be a comment that says in a sentence what is different.`)
  const texts = [bodyOf(await readFile(reference, 'utf8')), bodyOf(source)] as const
  const rows = changedLines(texts, texts)
  const count = (sign: string) => rows.filter((row) => row?.sign === sign).length
  const lines = await highlight(source, file)
  return { why, source, lines, added: count('+'), gone: count('-') }
}

export const ways = (): Plugin => ({
  name: 'ways',
  enforce: 'pre',
  // No lesson needs them to open (src/site/offline/site-files.ts knows them by this name).
  outputOptions: (options) => ({
    ...options,
    chunkFileNames: ({ facadeModuleId }) =>
      facadeModuleId !== null && ID.test(facadeModuleId)
        ? 'assets/ways-[hash].js'
        : 'assets/[name]-[hash].js',
  }),
  load: {
    filter: { id: ID },
    async handler(id) {
      const file = id.replace(/\?way$/, '')
      const reference = join(dirname(file), '..', `reference${extname(file)}`)
      for (const each of [file, reference]) this.addWatchFile(each)
      return dataModule({ way: await wayOf(file, reference) })
    },
  },
})
