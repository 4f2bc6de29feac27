import { describe, expect, it } from 'vitest'
import type { Frame } from './frame'
import type { LaneLayout } from './layout'
import { MARKS, type Mark } from './marks'
import { addNarrowBars } from './paint-narrow'
import { PixelColumns } from './column-bitmap'
import { BAR_FIELDS, GrowingList, type NumberList } from './visible'

const WIDTH = 40
const ROW = { topPx: 2, barPx: 18, spans: null }
const HUE = { red: 10, green: 120, blue: 200 }

function barsOf(...edges: readonly (readonly [left: number, right: number])[]): NumberList {
  const list = new GrowingList(Float64Array)
  for (const [left, right] of edges) {
    list.reserve(BAR_FIELDS)
    list.values.set([left, right, 0, 0], list.length)
    list.length += BAR_FIELDS
  }
  return list
}

/** Pixels of one lane of one row; the view begins so many px after time 0. */
function painted(
  mark: Mark,
  bars: NumberList,
  options: { isInferred?: boolean; shiftPx?: number } = {},
): PixelColumns {
  const columns = new PixelColumns()
  columns.begin(WIDTH, 22)
  const startNs = options.shiftPx ?? 0
  const frame = {
    columns,
    theme: { hues: { [mark.hue]: HUE } },
    dpr: 1,
    scale: { view: { startNs, endNs: startNs + WIDTH }, leftPx: 0, rightPx: WIDTH, pxPerNs: 1 },
  } as unknown as Frame
  addNarrowBars(frame, { rows: [ROW] } as unknown as LaneLayout, bars, mark, options.isInferred ?? false, 0)
  return columns
}

const alphas = ({ pixels }: PixelColumns): number[] => [...pixels].map((word) => word >>> 24)
const area = (columns: PixelColumns): number => alphas(columns).reduce((sum, alpha) => sum + alpha / 255, 0)
const MARKED = Object.entries(MARKS).filter(([, { mark }]) => mark !== 'band')

describe('addNarrowBars', () => {
  it('paints a solid bar as wide and as high as it is', () => {
    const steps = (2 * ROW.barPx) / 255 // each pixel of the two edges is rounded to one
    expect(Math.abs(area(painted(MARKS.compute, barsOf([3.25, 7.75]))) - 4.5 * ROW.barPx)).toBeLessThan(steps)
  })

  it('leaves what is wider, which has room for a name, to the lane', () => {
    expect(area(painted(MARKS.compute, barsOf([3, 15])))).toBe(0)
    expect(area(painted(MARKS.compute, barsOf([3, 14.9])))).toBeGreaterThan(0)
  })

  it.each(MARKED)('keeps %s within its bar, outlined or filled', (_, mark) => {
    for (const [left, right] of [
      [5, 7],
      [5, 10],
      [5, 16],
    ] as const) {
      const columns = painted(mark, barsOf([left, right]))
      const seen = alphas(columns)
      for (const [at, alpha] of seen.entries()) {
        const [x, y] = [at % WIDTH, Math.floor(at / WIDTH)]
        const isInside = x >= left && x < right && y >= ROW.topPx && y < ROW.topPx + ROW.barPx
        if (!isInside) expect(alpha).toBe(0)
      }
      if (right - left >= 3 || mark.mergedAlpha > 0) expect(Math.max(...seen)).toBeGreaterThan(0)
    }
  })

  it.each(MARKED)('carries the pattern of %s along with its span in a pan', (_, mark) => {
    for (const isInferred of [false, true]) {
      const here = painted(mark, barsOf([5, 16]), { isInferred })
      const panned = painted(mark, barsOf([2, 13]), { isInferred, shiftPx: 3 })
      const rows = (columns: PixelColumns, from: number): number[][] =>
        Array.from({ length: columns.height }, (_each, row) =>
          alphas(columns).slice(row * WIDTH + from, row * WIDTH + from + 11),
        )
      expect(rows(panned, 2)).toEqual(rows(here, 5))
    }
  })

  it('tells what is inferred from what was measured', () => {
    const bars = barsOf([5, 15])
    expect(alphas(painted(MARKS.compute, bars, { isInferred: true }))).not.toEqual(
      alphas(painted(MARKS.compute, bars)),
    )
  })
})
