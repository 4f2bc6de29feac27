/** What the images of links (src/site/ui/preview.ts) are made of: the project's own face, and recordings. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Type } from '../src/site/ui/preview'
import type { Face } from '../src/strips/marks'
import { RECORDINGS, recordingBytes } from './recording-bytes'
import { typeface } from './typeface'

/** @throws where the face cannot be read */
export function outlines(): Type {
  const face = (weight: 400 | 600) =>
    typeface(`@fontsource/inter/files/inter-latin-${String(weight)}-normal.woff2`)
  const [plain, bold] = [face(400), face(600)]
  const faceFor = ({ isBold }: Face) => (isBold ? bold : plain)
  return {
    widthOf: (text, each) => faceFor(each).widthOf(text, each.size),
    outline: (text, each) => faceFor(each).outline(text, each.size),
  }
}

/** Null where there is none of that name. */
export const readRecording = (file: string): Promise<Uint8Array | null> =>
  Promise.resolve(existsSync(join(RECORDINGS, file)) ? recordingBytes(file) : null)
