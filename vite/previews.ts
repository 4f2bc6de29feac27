/** What the images of links (src/ui/preview.ts) are made of: the project's own face, and recordings. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Type } from '../src/ui/preview'
import { typeface } from './typeface'

const RECORDINGS = join(import.meta.dirname, '..', 'public', 'recordings')

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
export const readRecording = async (file: string): Promise<Uint8Array | null> => {
  try {
    return new Uint8Array(await readFile(join(RECORDINGS, file)))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
