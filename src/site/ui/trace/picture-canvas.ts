/** A summary's picture on a canvas, in the page's faces. */
import { summaryPicture, type Face } from '../../../analysis/summary/picture'
import type { Summary } from '../../../analysis/summary/summary'
import { themeColour } from '../theme-colours'

/** Of pixels to CSS px: sharp where it is shown at its own size. */
const PIXEL_RATIO = 2

/** Light on every page, since it is to stand on others. */
export async function summaryPng(summary: Summary, from: string): Promise<Blob> {
  const style = getComputedStyle(document.documentElement)
  const [sans, mono] = ['--text-face', '--mono-face'].map((name) => style.getPropertyValue(name))
  const fontOf = ({ size, isBold, isMono }: Face): string =>
    `${isBold ? '600' : '400'} ${String(size)}px ${(isMono ? mono : sans) ?? ''}`
  const context = document.createElement('canvas').getContext('2d')
  if (!context) throw new Error('this browser gives no 2D canvas')
  // What no text of the page has asked for is not there yet.
  const looks = [false, true].map((isMono) => fontOf({ size: 20, isBold: false, isMono }))
  await Promise.all(looks.map((font) => document.fonts.load(font)))
  const { width, height, marks } = summaryPicture(summary, {
    colourOf: (name) => themeColour(name)[0],
    widthOf: (text, face) => {
      context.font = fontOf(face)
      return context.measureText(text).width
    },
    from,
  })
  const { canvas } = context
  canvas.width = width * PIXEL_RATIO
  canvas.height = height * PIXEL_RATIO
  context.scale(PIXEL_RATIO, PIXEL_RATIO)
  for (const mark of marks) {
    context.fillStyle = mark.colour
    if (mark.type === 'box') {
      context.globalAlpha = mark.opacity
      context.fillRect(mark.x, mark.y, mark.width, mark.height)
      context.globalAlpha = 1
    } else {
      context.font = fontOf(mark.face)
      context.fillText(mark.text, mark.x, mark.y)
    }
  }
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/png')
  })
  if (!blob) throw new Error('this browser makes no PNG of this size')
  return blob
}
