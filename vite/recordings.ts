/**
 * The files of public/recordings/: their names, so that the page asks for none that was not
 * recorded so far, and their version, which stands in their addresses: a tab of one build is not
 * given another's (src/site/offline/serving.ts).
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { isGzip } from '../src/trace/gzip'

export const RECORDINGS = join(import.meta.dirname, '..', 'public', 'recordings')

/**
 * Not gzipped any more: Node inflates at once what the streams of a page take three times as long
 * for.
 * @throws where there is none of that name
 */
export function recordingBytes(file: string): Uint8Array<ArrayBuffer> {
  const bytes = readFileSync(join(RECORDINGS, file))
  return new Uint8Array(isGzip(bytes) ? gunzipSync(bytes) : bytes)
}

/** With '/' wherever the site is built. */
const filesIn = (): readonly string[] =>
  readdirSync(RECORDINGS, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(RECORDINGS, join(parentPath, name)).split(sep).join('/'))

/** 8 hexadecimal digits, of all of them. */
export function recordingsVersion(): string {
  const hash = createHash('sha256')
  for (const file of filesIn().toSorted())
    hash.update(`${file}\0`).update(readFileSync(join(RECORDINGS, file)))
  return hash.digest('hex').slice(0, 8)
}

/** `recordings`: 'LESSON.hdl.gz', 'LESSON/STEP.hdl.gz'. */
export const recordings = () => ({ recordings: filesIn(), version: recordingsVersion() })
