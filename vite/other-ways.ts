/**
 * Other ways to mend (ways.ts) as two modules a file: `right.edits?ways` has their heads alone, `right.edits?way-programs` is loaded when somebody
 * opens them.
 */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'
import { programsOfWays, waysIn } from './ways'

const HEADS = '/right.edits?ways'
const PROGRAMS = '/right.edits?way-programs'

export const otherWays = (): Plugin => ({
  name: 'other-ways',
  enforce: 'pre',
  // By a name of their own: no lesson needs them to open (src/offline/site-files.ts).
  outputOptions: (options) => ({
    ...options,
    chunkFileNames: ({ facadeModuleId }) =>
      facadeModuleId?.endsWith(PROGRAMS) ? 'assets/ways-[hash].js' : 'assets/[name]-[hash].js',
  }),
  async load(id) {
    if (!id.endsWith(HEADS) && !id.endsWith(PROGRAMS)) return null
    const folder = dirname(id)
    const language = existsSync(join(folder, 'reference.js')) ? 'js' : 'wgsl'
    const read = async (file: string): Promise<string> => {
      this.addWatchFile(join(folder, file))
      return await readFile(join(folder, file), 'utf8')
    }
    const edits = await read('right.edits')
    const [start, reference] = [await read(`start.${language}`), await read(`reference.${language}`)]
    try {
      const ways = id.endsWith(HEADS)
        ? waysIn(edits, { start, reference })
        : await programsOfWays(edits, { start, reference }, `reference.${language}`)
      return { code: `export const ways = ${JSON.stringify(ways)}`, moduleType: 'js', map: null }
    } catch (thrown) {
      return this.error(`${folder}/right.edits: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
    }
  },
})
