/**
 * `virtual:recordings`: the names of the files in public/recordings/ and its folders, so that the page asks for none that was not recorded so
 * far, and their version, which stands in their addresses: a tab of one build is not given another's (src/site/offline/serving.ts).
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { RECORDINGS } from './recording-bytes'
import { exported, virtualModules } from './virtual-modules'

/** With '/' wherever the site is built. */
const filesIn = (): readonly string[] =>
  readdirSync(RECORDINGS, { recursive: true, encoding: 'utf8' }).map((path) => path.split(sep).join('/'))

/** 8 hexadecimal digits, of all of them. */
export function recordingsVersion(): string {
  const hash = createHash('sha256')
  const files = readdirSync(RECORDINGS, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  for (const file of files) hash.update(`${file.slice(RECORDINGS.length)}\0`).update(readFileSync(file))
  return hash.digest('hex').slice(0, 8)
}

export const recordings = () =>
  virtualModules({ recordings: () => exported({ recordings: filesIn(), version: recordingsVersion() }) })
