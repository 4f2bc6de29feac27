/**
 * The view as a picture to keep: the lanes as they are on the screen, painted by the same code at
 * twice the pixels of CSS whatever the screen has, with a caption under them.
 */
import { ColumnBitmap } from './column-bitmap'
import { type Fonts, type Frame, makeFonts } from './frame'
import { paintFrame } from './paint'
import { type Overlay, paintOverlay } from './paint-overlay'
import { Patterns } from './patterns'
import type { Scene } from './renderer'
import { toCss } from './colour'
import type { Theme } from './theme'
import type { ImageCaption, TimelineData } from './types'
import { DrawList, Merger } from './visible'
import { clockState } from './describe'
import { formatDuration, formatTime } from './format'
import { type Scale, viewWidthNs } from './scale'
import { wrap } from './text'

/**
 * The caption of an exported picture: whose run it is, how much of it is shown at which scale, and
 * the instrument that measured it.
 */
const BAR_PX = { least: 48, most: 150 } as const

interface ScaleBar {
  readonly lengthNs: number
  readonly widthPx: number
}

/** The longest of 1, 2, 5 × 10ⁿ ns that is at most `BAR_PX.most` wide. @internal */
export function scaleBar(pxPerNs: number): ScaleBar {
  const most = BAR_PX.most / pxPerNs
  const power = 10 ** Math.floor(Math.log10(most))
  const lengthNs = power * ([5, 2, 1].find((step) => step * power <= most) ?? 1)
  return { lengthNs, widthPx: lengthNs * pxPerNs }
}

const MARGIN_PX = 16
const LINE_PX = 18

interface LaidCaption {
  readonly title: string
  readonly lines: readonly string[]
  readonly bar: ScaleBar
  /** Beside the title, else on a line of its own. */
  readonly barBeside: boolean
  readonly heightPx: number
}

function factsOf(data: TimelineData, { view }: Scale, caption: ImageCaption): readonly string[] {
  const { trace, startOfAllNs, endOfAllNs } = data.placed
  const host = trace.clocks.find(({ kind }) => kind === 'host')
  return [
    `shown: ${formatDuration(viewWidthNs(view))} from ${formatTime(view.startNs)}, of ${formatDuration(endOfAllNs - startOfAllNs)}`,
    ...caption.facts,
    host ? `host clock in steps of ${formatDuration(host.stepNs)}` : '',
    clockState(data).text,
  ].filter((fact) => fact !== '')
}

function layCaption(
  data: TimelineData,
  scale: Scale,
  widthPx: number,
  fonts: Fonts,
  caption: ImageCaption,
): LaidCaption {
  const bar = scaleBar(scale.pxPerNs)
  const roomPx = widthPx - 2 * MARGIN_PX
  const barBeside = roomPx >= 480
  const widthOf = (text: string): number => fonts.smallRuler.width(text)
  const facts = wrap(factsOf(data, scale, caption).join(' · '), roomPx, widthOf)
  const lines = [...facts, ...wrap(caption.source, roomPx, widthOf)]
  // The title's face is a little wider than the label's.
  const titleRoomPx = (barBeside ? roomPx - BAR_PX.most - 90 : roomPx) * 0.92
  const title = fonts.labelRuler.fit(caption.title, titleRoomPx)
  const rows = lines.length + (barBeside ? 1 : 2)
  return { title, lines, bar, barBeside, heightPx: 2 * MARGIN_PX + rows * LINE_PX }
}

/** From 0, 0 on: the caller moves the origin under the picture. */
function paintCaption(
  context: CanvasRenderingContext2D,
  theme: Theme,
  fonts: Fonts,
  widthPx: number,
  laid: LaidCaption,
): void {
  context.fillStyle = toCss(theme.surface)
  context.fillRect(0, 0, widthPx, laid.heightPx)
  context.textBaseline = 'middle'
  context.textAlign = 'left'
  context.fillStyle = toCss(theme.text)
  let y = MARGIN_PX + LINE_PX / 2
  context.font = fonts.title
  context.fillText(laid.title, MARGIN_PX, y)
  if (!laid.barBeside) y += LINE_PX
  const label = formatDuration(laid.bar.lengthNs)
  const labelPx = fonts.smallRuler.width(label)
  const left = laid.barBeside ? widthPx - MARGIN_PX - laid.bar.widthPx - labelPx - 8 : MARGIN_PX
  const right = left + laid.bar.widthPx
  context.strokeStyle = toCss(theme.text)
  context.lineWidth = 1.5
  context.beginPath()
  context.moveTo(left, y - 4)
  context.lineTo(left, y + 4)
  context.moveTo(left, y)
  context.lineTo(right, y)
  context.moveTo(right, y - 4)
  context.lineTo(right, y + 4)
  context.stroke()
  context.font = fonts.small
  context.fillText(label, right + 8, y)
  context.fillStyle = toCss(theme.text2)
  for (const line of laid.lines) {
    y += LINE_PX
    context.fillText(line, MARGIN_PX, y)
  }
}

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
