/**
 * Pictures to take along as PNG, on a canvas in the page's faces. Light on every page, since they
 * stand on others.
 */
import { paintMarks } from '../../strips/canvas'
import type { Face, Mark } from '../../strips/marks'
import type { WidthOf } from '../../strips/sheet'
import { mixed } from '../../strips/svg'
import { themeColour } from './theme-colours'

export interface Picture {
  readonly width: number
  readonly height: number
  readonly marks: readonly Mark[]
}

/** @throws Error where the browser gives no canvas, or makes no PNG. */
export async function picturePng(draw: (widthOf: WidthOf) => Picture, pixelRatio: number): Promise<Blob> {
  const style = getComputedStyle(document.documentElement)
  const [sans, mono] = ['--text-face', '--mono-face'].map((name) => style.getPropertyValue(name))
  const fontOf = ({ size, isBold, isMono }: Face): string =>
    `${isBold ? '600' : '400'} ${String(size)}px ${(isMono ? mono : sans) ?? ''}`
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser gives no canvas to draw on.')
  // A face that no text of the page has asked for is not loaded yet.
  const faces = [false, true].map((isMono) => fontOf({ size: 20, isBold: false, isMono }))
  await Promise.all(faces.map((font) => document.fonts.load(font)))
  const { width, height, marks } = draw((text, face) => {
    context.font = fontOf(face)
    return context.measureText(text).width
  })
  canvas.width = width * pixelRatio
  canvas.height = height * pixelRatio
  context.scale(pixelRatio, pixelRatio)
  paintMarks(context, marks, { fontOf, paintOf: (ink) => mixed((hue) => themeColour(hue)[0], ink) })
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (!blob) throw new Error('This browser makes no PNG of this size.')
  return blob
}
