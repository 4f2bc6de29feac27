/** A chart as a picture to share: what plot-layout says, on a canvas, with its title, its legend and where it comes from. */
import type { Figure, SeriesHue } from '../../trace/figure'
import { dashOf, shapeOf } from './marks'
import { layOutPlot, type PlacedSeries } from './plot-layout'

const WIDTH = 760
const MARGIN = 24
const LINE_PX = 20
/** Of pixels to CSS px: sharp where it is shown at its own size. */
const PIXEL_RATIO = 2

type Colour = (name: string) => string

/** A canvas takes no custom property: a probe's colour is what one stands for. */
function coloursAt(element: Element): { readonly of: Colour; readonly end: () => void } {
  const probe = element.appendChild(document.createElement('span'))
  return {
    of: (name) => {
      probe.style.color = `var(--${name})`
      return getComputedStyle(probe).color
    },
    end: () => {
      probe.remove()
    },
  }
}

/** @param within an element whose colours are the chart's @param from whose picture it is: its last line */
export async function figurePng(figure: Figure, within: Element, from: string): Promise<Blob> {
  const context = document.createElement('canvas').getContext('2d')
  if (!context) throw new Error('this browser gives no 2D canvas')
  const colours = coloursAt(within)
  const face = getComputedStyle(within).fontFamily
  const layout = layOutPlot(figure, WIDTH)
  const legendTop = MARGIN + 34
  const plotTop = legendTop + figure.series.length * LINE_PX + 12
  const { canvas } = context
  const height = plotTop + layout.height + 16 + LINE_PX + MARGIN
  canvas.width = (WIDTH + 2 * MARGIN) * PIXEL_RATIO
  canvas.height = height * PIXEL_RATIO
  context.scale(PIXEL_RATIO, PIXEL_RATIO)
  context.fillStyle = colours.of('surface')
  context.fillRect(0, 0, WIDTH + 2 * MARGIN, height)
  const write = (text: string, x: number, y: number, align: CanvasTextAlign = 'start', name = 'text') => {
    context.fillStyle = colours.of(name)
    context.textAlign = align
    context.fillText(text, x, y)
  }
  context.font = `600 20px ${face}`
  write(figure.title, MARGIN, MARGIN + 18)
  context.font = `13px ${face}`
  const inkOf = (hue: SeriesHue) => colours.of(hue)
  figure.series.forEach((series, index) => {
    const y = legendTop + index * LINE_PX + 10
    context.save()
    context.translate(MARGIN, y)
    paintMarks(context, series.marks, inkOf(series.hue), index, new Path2D('M1 0h24'), [[13, 0]])
    context.restore()
    write(series.label, MARGIN + 34, y + 4)
  })
  context.save()
  context.translate(MARGIN, plotTop)
  context.font = `12px ${face}`
  const { plot, xTicks, yTicks, thresholds } = layout
  const line = (x1: number, y1: number, x2: number, y2: number, name: string, dash: number[] = []) => {
    context.strokeStyle = colours.of(name)
    context.lineWidth = 1
    context.setLineDash(dash)
    context.beginPath()
    context.moveTo(x1, y1)
    context.lineTo(x2, y2)
    context.stroke()
    context.setLineDash([])
  }
  for (const { at, text } of yTicks) {
    line(plot.left, at, plot.right, at, text === '' ? 'surface-2' : 'line')
    write(text, plot.left - 8, at + 4, 'end', 'text-2')
  }
  for (const { at, text } of xTicks) {
    line(at, plot.bottom, at, plot.bottom + (text === '' ? 3 : 5), 'text-2')
    write(text, at, plot.bottom + 19, 'center', 'text-2')
  }
  line(plot.left, plot.bottom, plot.right, plot.bottom, 'text-2')
  write(`${figure.y.label}, ${figure.y.unit}`, 0, 12, 'start', 'text-2')
  write(`${figure.x.label}, ${figure.x.unit}`, plot.right, layout.height - 5, 'end', 'text-2')
  for (const { at, threshold } of thresholds)
    if (threshold.axis === 'x') line(at, plot.top, at, plot.bottom, 'text-2', [3, 3])
    else line(plot.left, at, plot.right, at, 'text-2', [3, 3])
  for (const placed of layout.series) paintSeries(context, placed, inkOf(placed.series.hue))
  for (const { text, x, y, anchor, leader } of [...layout.labels, ...thresholds.map(({ label }) => label)]) {
    if (leader) line(...leader, 'text-2')
    write(text, x, y, anchor)
  }
  context.restore()
  write(from, MARGIN, height - MARGIN + 4, 'start', 'text-2')
  colours.end()
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/png')
  })
  if (!blob) throw new Error('this browser makes no PNG of this size')
  return blob
}

const paintSeries = (context: CanvasRenderingContext2D, placed: PlacedSeries, ink: string): void => {
  const { series, index, path, points } = placed
  const at = points.map(({ x, y }) => [x, y] as const)
  paintMarks(context, series.marks, ink, index, new Path2D(path), at)
}

function paintMarks(
  context: CanvasRenderingContext2D,
  marks: Figure['series'][number]['marks'],
  ink: string,
  index: number,
  path: Path2D,
  points: readonly (readonly [number, number])[],
): void {
  context.strokeStyle = ink
  context.fillStyle = ink
  context.lineWidth = 2
  context.setLineDash((dashOf(marks) ?? '').split(' ').filter(Boolean).map(Number))
  if (marks !== 'points') context.stroke(path)
  context.setLineDash([])
  if (marks === 'line') return
  const shape = new Path2D(shapeOf(index))
  for (const [x, y] of points) {
    context.save()
    context.translate(x, y)
    context.fill(shape)
    context.restore()
  }
}
