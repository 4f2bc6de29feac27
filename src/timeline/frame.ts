/**
 * The input of a paint: one immutable record, so that painting needs no state of its own. CSS px,
 * unless a name says otherwise.
 */
import { madeOnce } from '../base/lists'
import type { ColumnBitmap } from './column-bitmap'
import type { Layout } from './layout'
import type { PathLine } from './path-line'
import type { Patterns } from './patterns'
import type { Scale } from './scale'
import type { Found } from './search'
import type { Theme } from './theme'
import type { TimeTicks } from './ticks'
import type { TimelineData } from './types'
import type { DrawList, Merger } from './visible'

export interface Frame {
  readonly context: CanvasRenderingContext2D
  readonly widthPx: number
  readonly heightPx: number
  readonly dpr: number
  readonly scale: Scale
  readonly layout: Layout
  /** How far the rows are scrolled up under axis and bands. */
  readonly scrollPx: number
  readonly data: TimelineData
  readonly theme: Theme
  readonly ticks: TimeTicks
  readonly patterns: Patterns
  readonly drawList: DrawList
  readonly merger: Merger
  readonly columns: ColumnBitmap
  readonly fonts: Fonts
  /** Result of the search; null without one. */
  readonly found: Found | null
  /** The critical path, where it was asked for. */
  readonly path: readonly PathLine[]
}

const ELLIPSIS = '…'
/** A cut name shorter than this says nothing, and many of them are noise. */
const FEWEST_LETTERS = 7
const TAIL_LETTERS = 3

/** Text on the canvas: widths measured once, and names cut to the room there is. @internal */
export class TextRuler {
  readonly #measure: (text: string) => number
  readonly #widths = new Map<string, number>()
  readonly #cut = new Map<string, string[]>()

  /** `measure` gives px for the one font this ruler is for. */
  constructor(measure: (text: string) => number) {
    this.#measure = measure
  }

  width(text: string): number {
    return madeOnce(this.#widths, text, () => this.#measure(text))
  }

  /** The text, or its beginning with an ellipsis, or '' where not even that fits. */
  fit(text: string, roomPx: number): string {
    const full = this.width(text)
    if (full <= roomPx) return text
    const letters = Math.floor(((roomPx - this.width(ELLIPSIS)) / full) * text.length)
    if (letters < FEWEST_LETTERS) return ''
    const cuts = madeOnce(this.#cut, text, () => [])
    return (cuts[letters] ??= text.slice(0, letters).trimEnd() + ELLIPSIS)
  }

  /** Cut in its middle: threads of a pool differ in their last letters. */
  fitMiddle(text: string, roomPx: number): string {
    if (this.width(text) <= roomPx) return text
    const tail = text.slice(-TAIL_LETTERS)
    for (let letters = text.length - TAIL_LETTERS - 1; letters >= 2; letters -= 1) {
      const cut = `${text.slice(0, letters).trimEnd()}${ELLIPSIS}${tail}`
      if (this.width(cut) <= roomPx) return cut
    }
    return this.fit(text, roomPx)
  }

  /** The first of several wordings that fits whole; '' when none does. */
  first(wordings: readonly string[], roomPx: number): string {
    return wordings.find((text) => this.width(text) <= roomPx) ?? ''
  }
}

/**
 * Until `context.restore()` nothing is drawn outside; left and right are those of the time where
 * left out.
 */
export function clipTo(
  { context, scale }: Pick<Frame, 'context' | 'scale'>,
  topPx: number,
  heightPx: number,
  { leftPx, rightPx }: { readonly leftPx: number; readonly rightPx: number } = scale,
): void {
  context.save()
  context.beginPath()
  context.rect(leftPx, topPx, rightPx - leftPx, heightPx)
  context.clip()
}

type Point = readonly [px: number, y: number]

export function fillTriangle(
  context: CanvasRenderingContext2D,
  ...[a, b, c]: readonly [Point, Point, Point]
): void {
  context.beginPath()
  context.moveTo(...a)
  context.lineTo(...b)
  context.lineTo(...c)
  context.fill()
}

export function fillRounded(
  context: CanvasRenderingContext2D,
  ...box: readonly [left: number, top: number, width: number, height: number, radius: number]
): void {
  context.beginPath()
  context.roundRect(...box)
  context.fill()
}

/** The bound of an edge, with a foot at both ends where they are apart. */
export function fillWhisker(context: CanvasRenderingContext2D, left: number, right: number, y: number): void {
  context.fillRect(left, y, right - left, 1.5)
  if (right - left < 4) return
  context.fillRect(left, y - 2, 1, 5.5)
  context.fillRect(right - 1, y - 2, 1, 5.5)
}

export type Fonts = ReturnType<typeof makeFonts>

export function makeFonts(context: Pick<CanvasRenderingContext2D, 'font' | 'measureText'>, family: string) {
  const label = `500 12px ${family}`
  const small = `400 11.5px ${family}`
  const measure = (font: string) => (text: string) => {
    context.font = font
    return context.measureText(text).width
  }
  return {
    label,
    small,
    title: `600 12.5px ${family}`,
    labelRuler: new TextRuler(measure(label)),
    smallRuler: new TextRuler(measure(small)),
  }
}

/** Top of the rows that scroll: axis and bands lie above. */
export const fixedTopPx = ({ bandTopPx, bandPx }: Layout): number => bandTopPx + bandPx
/** A point of the canvas among the rows, which are scrolled up under what is fixed. */
export const contentYPx = (layout: Layout, scrollPx: number, cssY: number): number =>
  cssY < fixedTopPx(layout) ? cssY : cssY + scrollPx
/** The other way: where on the canvas a row is drawn. */
export const screenYPx = (layout: Layout, scrollPx: number, topPx: number): number =>
  topPx < fixedTopPx(layout) ? topPx : topPx - scrollPx
