/** What the images of links (src/site/ui/preview.ts) are made of: the project's own face, and recordings. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Type } from '../src/site/ui/preview'
import { RECORDINGS, recordingBytes } from './recording-bytes'
import { typeface } from './typeface'

/** @throws where the face cannot be read */
export function outlines(): Type {
  const face = (weight: 400 | 600) =>
    typeface(`@fontsource/inter/files/inter-latin-${String(weight)}-normal.woff2`)
  const faces = { 400: face(400), 600: face(600) }
  return {
    widthOf: (text, size, weight) => faces[weight].widthOf(text, size),
    outline: (text, size, weight) => faces[weight].outline(text, size),
  }
}

/** Null where there is none of that name. */
export const readRecording = (file: string): Promise<Uint8Array | null> =>
  Promise.resolve(existsSync(join(RECORDINGS, file)) ? recordingBytes(file) : null)
