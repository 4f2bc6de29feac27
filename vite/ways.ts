/**
 * `mend/ways/<name>.js?way` (or `.wgsl?way`): another way to mend than the lab's own, as the page shows it. Its first line is a comment that
 * says what is different about it.
 */
import { readFile } from 'node:fs/promises'
import type { Plugin } from 'vite'
import type { Way } from '../src/exercises/exercise'
import { highlight } from './highlight'
import { dataModule } from './virtual-modules'

const ID = /\/mend\/ways\/[\w-]+\.(?:js|wgsl)\?way$/

/** @throws Error where its first line is no comment. */
async function wayOf(file: string): Promise<Omit<Way, 'name'>> {
  const source = await readFile(file, 'utf8')
  const why = /^\/\/ (\S.*\.)\n/.exec(source)?.[1]
  if (why === undefined)
    throw new Error(`${file}: the first line should be a comment that says in a sentence what is different.`)
  return { why, source, lines: await highlight(source, file) }
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
      this.addWatchFile(file)
      return dataModule({ way: await wayOf(file) })
    },
  },
})
