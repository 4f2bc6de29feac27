/**
 * The view as a picture to keep: the lanes as they are on the screen, painted by the same code at twice the pixels of CSS whatever the
 * screen has, with a caption under them. As pixels (PNG) or as vectors with text that can be selected (SVG).
 */
import { ColumnBitmap, ColumnRectangles, type ColumnPainter } from './column-bitmap'
import { layCaption, paintCaption } from './caption'
import { escapeXml, svgNumber } from './svg-text'
import { makeFonts, type Frame } from './frame'
import { paintFrame } from './paint'
import { paintOverlay, type Overlay } from './paint-overlay'
import type { PaintContext } from './paint-context'
import { Patterns, type Tiles } from './patterns'
import type { Scene } from './renderer'
import { SvgContext, type Measurer } from './svg-context'
import { SvgTiles } from './svg-tiles'
import { toCss } from './colour'
import type { Theme } from './theme'
import type { ImageCaption, SvgImage } from './types'
import { DrawList, Merger } from './visible'

const PIXEL_RATIO = 2
/** What every browser's canvas can be: px along a side. */
const MOST_SIDE_PX = 16_384
/** An editor opens this many without trouble; a full screen of narrow bars needs some thousands. */
const MOST_NODES = 20_000

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

interface Tools {
  /** Asked for once, when the height of the whole is known. */
  readonly makeContext: (heightPx: number) => PaintContext
  readonly patterns: Tiles
  readonly columns: ColumnPainter
  readonly dpr: number
}

/** Lays out and paints; gives the height of the whole. */
function paint(input: ImageInput, measurer: Measurer, tools: Tools): number {
  const { makeContext, patterns, columns, dpr } = tools
  const { scene, widthPx, heightPx, theme, overlay } = input
  const fonts = makeFonts(measurer, theme.fontFamily)
  const laid = layCaption(scene.data, scene.scale, widthPx, fonts, input.caption)
  const totalPx = heightPx + laid.heightPx
  const context = makeContext(totalPx)
  const frame: Frame = {
    ...scene,
    context,
    widthPx,
    heightPx,
    dpr,
    theme,
    patterns,
    columns,
    fonts,
    drawList: new DrawList(),
    merger: new Merger(),
  }
  // The caption comes first: whatever else an SVG has no room for, it says what the picture is of.
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
  return totalPx
}

export async function toPng(input: ImageInput): Promise<Blob> {
  const context = newContext()
  const { canvas } = context
  const dpr = Math.min(PIXEL_RATIO, MOST_SIDE_PX / (Math.max(input.widthPx, input.heightPx) + 400))
  const makeContext = (heightPx: number): PaintContext => {
    canvas.width = Math.round(input.widthPx * dpr)
    canvas.height = Math.round(heightPx * dpr)
    context.setTransform(dpr, 0, 0, dpr, 0, 0)
    return context
  }
  const tools = { makeContext, patterns: new Patterns(dpr), columns: new ColumnBitmap(context), dpr }
  paint(input, newContext(), tools)
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/png')
  })
  if (!blob) throw new Error('this browser makes no PNG of this size')
  return blob
}

export function toSvg(input: ImageInput): SvgImage {
  const measurer = newContext()
  const tiles = new SvgTiles(measurer, PIXEL_RATIO)
  const context = new SvgContext(measurer, MOST_NODES)
  const heightPx = paint(input, measurer, {
    makeContext: () => context,
    patterns: tiles,
    columns: new ColumnRectangles(context),
    dpr: PIXEL_RATIO,
  })
  const { body, clips } = context.finish()
  const [width, height] = [svgNumber(input.widthPx), svgNumber(heightPx)]
  const { title, facts, source } = input.caption
  const svg = `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>${escapeXml(title)}</title>
<desc>${escapeXml([...facts, source].join(' · '))}</desc>
<defs>
${clips}
${tiles.finish()}
</defs>
${body}
</svg>
`
  return { svg, nodes: context.nodes, omittedNodes: context.omitted }
}
