/**
 * Painter of marks as a file of SVG. Whoever shows it may lack its faces: then text is given as
 * outlines, or its widths are estimated on the wide side.
 */
import type { Face, Ink, Mark } from './marks'

const SANS = "Inter, system-ui, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"
const MONO = "'JetBrains Mono', ui-monospace, SFMono-Regular, Menlo, Consolas, monospace"

/** In em, of Inter and the usual faces of systems about the widest. */
function emOf(mark: string, isMono: boolean): number {
  if ((mark.codePointAt(0) ?? 0) >= 0x1100 && !/[\u2000-\u206f]/.test(mark)) return 1.05
  if (isMono) return 0.62
  if (/[ilj.,:;'’|!()[\] ]/.test(mark)) return 0.34
  if (/[mwMW@%]/.test(mark)) return 0.95
  return /[A-Z]/.test(mark) ? 0.72 : 0.6
}
const BOLD = 1.08

export const estimatedWidth = (text: string, { size, isBold, isMono }: Face): number =>
  Array.from(text).reduce((sum, mark) => sum + emOf(mark, isMono), 0) * size * (isBold ? BOLD : 1)

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const n = (value: number): string => String(Number(value.toFixed(2)))

/** '#rrggbb' of a name in theme.css. */
export type ColourOf = (hue: Ink['hue']) => string

/** So much of the one, the rest of the ground, as color-mix(in srgb) does. */
export function mixed(colourOf: ColourOf, { hue, share }: Ink): string {
  const channels = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
  const ground = channels(colourOf('surface'))
  const mix = channels(colourOf(hue)).map((value, at) =>
    Math.round(value * share + (ground[at] ?? 0) * (1 - share)),
  )
  return `#${mix.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

export interface SvgOptions {
  /** Value of `fill` and `stroke`. */
  readonly paintOf: (ink: Ink) => string
  /** Data of a path for text, its baseline at 0, 0: for what rasterises it without fonts. */
  readonly outline?: (text: string, face: Face) => string
}

export const svgMarks = (marks: readonly Mark[], { paintOf, outline }: SvgOptions): string =>
  marks
    .map((mark) => {
      const { fill, edge, opacity } = mark
      const look = [
        `fill="${fill ? paintOf(fill) : 'none'}"`,
        ...(opacity === undefined ? [] : [`opacity="${n(opacity)}"`]),
        ...(edge ? [`stroke="${paintOf({ hue: edge.hue, share: 1 })}"`] : []),
        ...(edge && edge.width !== 1 ? [`stroke-width="${n(edge.width)}"`] : []),
        ...(edge && edge.dash.length > 0 ? [`stroke-dasharray="${edge.dash.join(' ')}"`] : []),
      ].join(' ')
      const at = `transform="translate(${n(mark.x)} ${n(mark.y)})"`
      if (mark.shape === 'box')
        return `<rect x="${n(mark.x)}" y="${n(mark.y)}" width="${n(mark.width)}" height="${n(mark.height)}" ${look}/>`
      if (mark.shape === 'path') return `<path ${at} d="${mark.d}" ${look}/>`
      if (outline) return `<path ${at} d="${outline(mark.text, mark.face)}" ${look}/>`
      const { size, isBold, isMono } = mark.face
      const anchor = mark.anchor === 'middle' ? ' text-anchor="middle"' : ''
      return `<text x="${n(mark.x)}" y="${n(mark.y)}" ${look} font-family="${isMono ? MONO : SANS}" font-size="${n(size)}"${isBold ? ' font-weight="600"' : ''}${anchor}>${escaped(mark.text)}</text>`
    })
    .join('')

/** @param attributes and `parts` as SVG */
export const svgFile = (
  { width, height }: Record<'width' | 'height', number>,
  parts: string,
  attributes = '',
): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${n(width)}" height="${n(height)}" viewBox="0 0 ${n(width)} ${n(height)}"${attributes}>${parts}</svg>`
