/**
 * The view as a picture to keep: the lanes as they are on the screen, painted by the same code at
 * twice the pixels of CSS whatever the screen has, with a caption under them.
 */
import { ColumnBitmap } from './column-bitmap'
import { layCaption, paintCaption } from './caption'
import { makeFonts, type Frame } from './frame'
import { paintFrame } from './paint'
import { paintOverlay, type Overlay } from './paint-overlay'
import { Patterns } from './patterns'
import type { Scene } from './renderer'
import { toCss } from './colour'
import type { Theme } from './theme'
import type { ImageCaption } from './types'
import { DrawList, Merger } from './visible'

const PIXEL_RATIO = 2
/** Largest side that every browser's canvas can have, px. */
const MOST_SIDE_PX = 16_384

export interface ImageInput {
  readonly scene: Scene
  readonly widthPx: number
  readonly heightPx: number
  readonly theme: Theme
  readonly overlay: Overlay
  readonly caption: ImageCaption
}

function newContext(): CanvasRenderingContext2D {
  const context = document.createElement('canvas').getContext('2d')
  if (!context) throw new Error('this browser gives no 2D canvas')
  return context
}

export async function toPng(input: ImageInput): Promise<Blob> {
  const { scene, widthPx, heightPx, theme, overlay } = input
  const context = newContext()
  const { canvas } = context
  const dpr = Math.min(PIXEL_RATIO, MOST_SIDE_PX / (Math.max(widthPx, heightPx) + 400))
  // Text is measured by a context of its own: the font of the other is painting's.
  const fonts = makeFonts(newContext(), theme.fontFamily)
  const laid = layCaption(scene.data, scene.scale, widthPx, fonts, input.caption)
  canvas.width = Math.round(widthPx * dpr)
  canvas.height = Math.round((heightPx + laid.heightPx) * dpr)
  context.setTransform(dpr, 0, 0, dpr, 0, 0)
  const frame: Frame = {
    ...scene,
    context,
    widthPx,
    heightPx,
    dpr,
    theme,
    patterns: new Patterns(dpr),
    columns: new ColumnBitmap(context),
    fonts,
    drawList: new DrawList(),
    merger: new Merger(),
  }
  context.save()
  context.translate(0, heightPx)
  paintCaption(context, theme, fonts, widthPx, laid)
  context.restore()
  context.fillStyle = toCss(theme.surface2)
  context.fillRect(0, 0, widthPx, heightPx)
  context.save()
  context.beginPath()
  context.rect(0, 0, widthPx, heightPx)
  context.clip()
  paintFrame(frame)
  paintOverlay(frame, overlay)
  context.restore()
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (!blob) throw new Error('this browser makes no PNG of this size')
  return blob
}
