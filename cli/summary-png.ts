/**
 * A summary's picture as PNG, at two pixels to a px. Its text is outlined with the faces of the
 * page, so that no font of the machine has a part in it: the same text gives the same bytes
 * everywhere.
 */
import { createRequire } from 'node:module'
import { Resvg } from '@resvg/resvg-js'
import { openSync, type Font } from 'fontkit'
import type { Face } from '../src/strips/marks'
import { summarySvg, type Painter } from './lab-analyze-picture'

/** The faces have no thin space; in front of a unit a plain one stands for it. */
const THIN = /\u2009/g

function opened(file: string): Font {
  const face = openSync(createRequire(import.meta.url).resolve(file))
  if ('fonts' in face) throw new Error(`${file} is a collection.`)
  return face
}

/**
 * @param files each for the characters that those before it lack, as paths of packages; opened when
 * first needed
 */
function typeface(...files: readonly string[]) {
  const faces: Font[] = []
  const faceAt = (at: number, file: string): Font => (faces[at] ??= opened(file))
  const faceFor = (character: string): Font => {
    const code = character.codePointAt(0) ?? 0
    for (const [at, file] of files.entries()) {
      const face = faceAt(at, file)
      if (face.hasGlyphForCodePoint(code)) return face
    }
    return faceAt(0, files[0] ?? '')
  }
  // Whoever looks for a size that fits asks for the same text again and again.
  const known = new Map<string, ReturnType<typeof laidOut>>()
  const runsOf = (text: string) => {
    const runs = known.get(text) ?? laidOut(text)
    known.set(text, runs)
    return runs
  }
  const laidOut = (text: string) => {
    const pieces: { face: Font; text: string }[] = []
    for (const character of text.replace(THIN, ' ')) {
      const face = faceFor(character)
      const last = pieces.at(-1)
      if (last?.face === face) last.text += character
      else pieces.push({ face, text: character })
    }
    return pieces.map((piece) => ({
      run: piece.face.layout(piece.text),
      unitsPerEm: piece.face.unitsPerEm,
    }))
  }
  return {
    /** In px. */
    widthOf: (text: string, size: number) =>
      runsOf(text).reduce((sum, { run, unitsPerEm }) => sum + (run.advanceWidth * size) / unitsPerEm, 0),
    /** Data of a path, its baseline at 0, 0. */
    outline: (text: string, size: number) => {
      let begin = 0
      return runsOf(text)
        .map(({ run, unitsPerEm }) => {
          const scale = size / unitsPerEm
          let x = 0
          const paths = run.glyphs.map((glyph, at) => {
            const position = run.positions[at]
            const path = glyph.path
              .scale(scale, -scale)
              .translate(begin + (x + (position?.xOffset ?? 0)) * scale, -(position?.yOffset ?? 0) * scale)
            x += position?.xAdvance ?? 0
            return path.toSVG()
          })
          begin += x * scale
          return paths.join('')
        })
        .join('')
    },
  }
}

/** @param zoom pixels of the PNG to one px of the SVG */
const PIXEL_RATIO = 2
/** Names in a file may be in any script; what these lack is drawn as a box. */
const SCRIPTS = ['latin', 'latin-ext', 'greek', 'cyrillic', 'cyrillic-ext', 'vietnamese']

const inter = (weight: 400 | 600) =>
  typeface(
    ...SCRIPTS.map((script) => `@fontsource/inter/files/inter-${script}-${String(weight)}-normal.woff2`),
  )
const FACES = {
  plain: inter(400),
  bold: inter(600),
  mono: typeface(
    ...SCRIPTS.map(
      (script) => `@fontsource-variable/jetbrains-mono/files/jetbrains-mono-${script}-wght-normal.woff2`,
    ),
  ),
}
const faceFor = ({ isBold, isMono }: Face) => FACES[isMono ? 'mono' : isBold ? 'bold' : 'plain']

export const summaryPng: Painter = {
  widthOf: (text, face) => faceFor(face).widthOf(text, face.size),
  paint: (picture) => {
    const svg = summarySvg(picture, (text, face) => faceFor(face).outline(text, face.size))
    const fitTo = { mode: 'zoom', value: PIXEL_RATIO } as const
    return new Resvg(svg, { font: { loadSystemFonts: false }, fitTo }).render().asPng()
  },
}
