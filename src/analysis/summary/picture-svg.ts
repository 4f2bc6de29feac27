/** A picture as SVG. Whoever shows it may lack its faces, so widths are estimated on the wide side. */
import type { Face, SummaryPicture } from './picture'

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

/** @param outline data of a path for text, its baseline at 0, 0: for what rasterises it without fonts */
export function svgOf(
  { width, height, marks }: SummaryPicture,
  outline?: (text: string, face: Face) => string,
): string {
  const parts = marks.map((mark) => {
    const fill = `fill="${escaped(mark.colour)}"`
    const at = `x="${n(mark.x)}" y="${n(mark.y)}" ${fill}`
    if (mark.type === 'box') {
      const opacity = mark.opacity === 1 ? '' : ` fill-opacity="${n(mark.opacity)}"`
      return `<rect ${at} width="${n(mark.width)}" height="${n(mark.height)}"${opacity}/>`
    }
    if (outline)
      return `<path transform="translate(${n(mark.x)} ${n(mark.y)})" ${fill} d="${outline(mark.text, mark.face)}"/>`
    const { size, isBold, isMono } = mark.face
    return `<text ${at} font-family="${isMono ? MONO : SANS}" font-size="${n(size)}"${isBold ? ' font-weight="600"' : ''}>${escaped(mark.text)}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${n(width)}" height="${n(height)}" viewBox="0 0 ${n(width)} ${n(height)}">${parts.join('')}</svg>`
}
