/**
 * The images of links (src/ui/preview.ts) as PNG. Text is outlined with the project's own face, so that no font of the machine has a part in it:
 * the same sources give the same bytes wherever the site is built.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Resvg } from '@resvg/resvg-js'
import { openSync, type Font } from 'fontkit'
import type { Type } from '../src/ui/preview'

const RECORDINGS = join(import.meta.dirname, '..', 'public', 'recordings')
const faceOf = (weight: 400 | 600): string =>
  createRequire(import.meta.url).resolve(`@fontsource/inter/files/inter-latin-${String(weight)}-normal.woff2`)

/** The face has no thin space; in front of a unit a narrow one stands for it. */
const THIN = /\u2009/g

/** @throws where the face cannot be read */
export function outlines(): Type {
  const opened = new Map<number, Font>()
  const font = (weight: 400 | 600): Font => {
    const known = opened.get(weight)
    if (known) return known
    const face = openSync(faceOf(weight))
    if ('fonts' in face) throw new Error(`${faceOf(weight)} is a collection.`)
    opened.set(weight, face)
    return face
  }
  const laidOut = (text: string, size: number, weight: 400 | 600) => {
    const face = font(weight)
    return { run: face.layout(text.replace(THIN, ' ')), scale: size / face.unitsPerEm }
  }
  return {
    widthOf: (text, size, weight) => {
      const { run, scale } = laidOut(text, size, weight)
      return run.advanceWidth * scale
    },
    outline: (text, size, weight) => {
      const { run, scale } = laidOut(text, size, weight)
      let x = 0
      return run.glyphs
        .map((glyph, at) => {
          const position = run.positions[at]
          const path = glyph.path
            .scale(scale, -scale)
            .translate((x + (position?.xOffset ?? 0)) * scale, -(position?.yOffset ?? 0) * scale)
          x += position?.xAdvance ?? 0
          return path.toSVG()
        })
        .join('')
    },
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

export const pngOf = (svg: string): Uint8Array =>
  new Resvg(svg, { font: { loadSystemFonts: false } }).render().asPng()
