/** `virtual:recordings`: the names of the files in public/recordings/ and its folders, so that the page asks for none that was not recorded so far. */
import { readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { Plugin } from 'vite'

const NAME = 'virtual:recordings'
const RESOLVED = `\0${NAME}`
const FOLDER = join(import.meta.dirname, '..', 'public', 'recordings')

/** With '/' wherever the site is built. */
const filesIn = (): readonly string[] =>
  readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).map((path) => path.split(sep).join('/'))

export const recordings = (): Plugin => ({
  name: 'recordings',
  resolveId: (id) => (id === NAME ? RESOLVED : null),
  load: (id) => (id === RESOLVED ? `export const recordings = ${JSON.stringify(filesIn())}` : null),
})
