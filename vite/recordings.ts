/**
 * `virtual:recordings`: the names of the files in public/recordings/ and its folders, so that the page asks for none that was not recorded so
 * far, and their version, which stands in their addresses: a tab of one build is not given another's (src/offline/serving.ts).
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { Plugin } from 'vite'

const NAME = 'virtual:recordings'
const RESOLVED = `\0${NAME}`
const FOLDER = join(import.meta.dirname, '..', 'public', 'recordings')

/** With '/' wherever the site is built. */
const filesIn = (): readonly string[] =>
  readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).map((path) => path.split(sep).join('/'))

/** 8 hexadecimal digits, of all of them. */
export function recordingsVersion(): string {
  const hash = createHash('sha256')
  const files = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  for (const file of files) hash.update(`${file.slice(FOLDER.length)}\0`).update(readFileSync(file))
  return hash.digest('hex').slice(0, 8)
}

export const recordings = (): Plugin => ({
  name: 'recordings',
  resolveId: (id) => (id === NAME ? RESOLVED : null),
  load: (id) =>
    id === RESOLVED
      ? `export const recordings = ${JSON.stringify(filesIn())}
export const version = ${JSON.stringify(recordingsVersion())}`
      : null,
})
