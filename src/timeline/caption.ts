/**
 * The caption of an exported picture: whose run it is, how much of it is shown at which scale, and
 * the instrument that measured it.
 */
import { clockState } from './describe'
import { formatDuration, formatTime } from './format'
import type { Fonts } from './frame'
import { viewWidthNs, type Scale } from './scale'
import { BAR_PX, scaleBar, type ScaleBar } from './scale-bar'
import { wrap } from './text'
import { toCss } from './colour'
import type { Theme } from './theme'
import type { ImageCaption, TimelineData } from './types'

const MARGIN_PX = 16
const LINE_PX = 18

export interface LaidCaption {
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

export function layCaption(
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
export function paintCaption(
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
