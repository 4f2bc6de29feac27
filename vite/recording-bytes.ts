/** Files of public/recordings/, not gzipped any more: Node inflates at once what the streams of a page take three times as long for. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { isGzip } from '../src/trace/gzip'

export const RECORDINGS = join(import.meta.dirname, '..', 'public', 'recordings')

/** @throws where there is none of that name */
export function recordingBytes(file: string): Uint8Array<ArrayBuffer> {
  const bytes = readFileSync(join(RECORDINGS, file))
  return new Uint8Array(isGzip(bytes) ? gunzipSync(bytes) : bytes)
}

/** Null where there is none of that name. */
export const readRecording = (file: string): Promise<Uint8Array | null> =>
  Promise.resolve(existsSync(join(RECORDINGS, file)) ? recordingBytes(file) : null)
