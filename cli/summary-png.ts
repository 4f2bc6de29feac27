/** A summary's picture as PNG, at two pixels to a px, its text outlined with the faces of the page. */
import type { Face } from '../src/strips/marks'
import { pngOf, typeface } from '../vite/typeface'
import { summarySvg, type Painter } from './lab-analyze-picture'

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
  paint: (picture) =>
    pngOf(
      summarySvg(picture, (text, face) => faceFor(face).outline(text, face.size)),
      PIXEL_RATIO,
    ),
}
