/**
 * The input of a paint: one immutable record, so that painting needs no state of its own. CSS px,
 * unless a name says otherwise.
 */
import type { ColumnBitmap } from './column-bitmap'
import type { Layout } from './layout'
import type { PathLine } from './path-line'
import type { Patterns } from './patterns'
import type { Scale } from './scale'
import type { Found } from './search'
import { TextRuler } from './text'
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
  /** The critical path; null: not asked for. */
  readonly path: PathLine | null
}

export interface Fonts {
  readonly label: string
  readonly small: string
  readonly title: string
  readonly labelRuler: TextRuler
  readonly smallRuler: TextRuler
}

export function makeFonts(
  context: Pick<CanvasRenderingContext2D, 'font' | 'measureText'>,
  family: string,
): Fonts {
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
