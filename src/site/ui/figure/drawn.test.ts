import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Figure, FigurePoint } from '../../../trace/figure'
import { quantityText } from './axes'
import { drawnSeries, furthestOff, passed, withValue } from './drawn'
import { layOutPlot } from './plot-layout'

const log = { label: 'size', unit: 'KiB', scale: 'log2' } as const
const linear = { label: 'time', unit: 'ms', scale: 'linear' } as const
const figureOf = (
  points: readonly FigurePoint[],
  y: Figure['y'] = { ...linear, scale: 'log10' },
): Figure => ({
  id: 'f',
  title: '',
  caption: '',
  x: log,
  y,
  series: [{ id: 's', label: 's', hue: 'host', marks: 'points', points }],
  thresholds: [],
})
const point = (x: number, y: number, off = 0): FigurePoint => ({
  x,
  y,
  low: off > 0 ? y / off : null,
  high: off > 0 ? y * off : null,
  label: '',
})

describe('a pointer', () => {
  it('sets every handle that it passed, once, also backwards', () => {
    expect(passed(null, { index: 3, y: 7 })).toEqual([{ index: 3, y: 7 }])
    expect(passed({ index: 3, y: 7 }, { index: 3, y: 9 })).toEqual([{ index: 3, y: 9 }])
    fc.assert(
      fc.property(fc.nat(20), fc.nat(20), fc.nat(300), fc.nat(300), (one, other, y0, y1) => {
        const all = passed({ index: one, y: y0 }, { index: other, y: y1 })
        expect(all).toHaveLength(Math.max(1, Math.abs(other - one)))
        expect(all.at(-1)?.index).toBe(other)
        expect(all.at(-1)?.y).toBeCloseTo(y1, 6)
        all.forEach(({ index, y }, at) => {
          expect(index).toBe(one + Math.sign(other - one) * (at + 1) * (one === other ? 0 : 1))
          expect(y).toBeGreaterThanOrEqual(Math.min(y0, y1) - 1e-6)
          expect(y).toBeLessThanOrEqual(Math.max(y0, y1) + 1e-6)
        })
      }),
    )
  })

  it('leaves points in order, one at each place', () => {
    const curve = [8, 2, 4, 2].reduce<ReturnType<typeof withValue>>((all, x, at) => withValue(all, x, at), [])
    expect(curve).toEqual([
      [2, 3],
      [4, 2],
      [8, 0],
    ])
  })
})

describe('a curve', () => {
  it('is straight as its axes are, and has nothing beyond its ends', () => {
    const curve = [
      [1, 1],
      [16, 100],
    ] as const
    const drawnAt = (x: number, y?: Figure['y']) => furthestOff(curve, figureOf([point(x, 1)], y), 's')?.drawn
    expect(drawnAt(4)).toBeCloseTo(10, 9)
    expect(drawnAt(4, linear)).toBeCloseTo(50.5, 9)
    expect([drawnAt(16), drawnAt(0.5), drawnAt(17)]).toEqual([100, undefined, undefined])
  })

  it('is furthest off where the factor is largest, high or low', () => {
    const curve = [
      [1, 1],
      [64, 1],
    ] as const
    expect(furthestOff(curve, figureOf([point(1, 2), point(8, 0.2), point(64, 3)]), 's')).toEqual({
      x: 8,
      drawn: 1,
      measured: 0.2,
      times: 5,
      isWithin: false,
    })
    expect(furthestOff(curve, figureOf([point(1, 2), point(128, 99)]), 's')).toMatchObject({ x: 1, times: 2 })
  })

  it('is not off within an interval, however wide, and nowhere where nothing was measured', () => {
    const curve = [
      [1, 1],
      [64, 1],
    ] as const
    expect(furthestOff(curve, figureOf([point(1, 3, 4), point(8, 1.1)]), 's')).toMatchObject({ x: 8 })
    expect(furthestOff(curve, figureOf([point(1, 3, 4)]), 's')).toMatchObject({ isWithin: true })
    expect(furthestOff(curve, figureOf([point(128, 1)]), 's')).toBeNull()
    expect(furthestOff(curve, figureOf([point(1, 2)]), 'other')).toBeNull()
    // A zero has no factor.
    expect(furthestOff(curve, figureOf([point(1, 0)], linear), 's')).toBeNull()
  })

  it('is laid over what was measured without a point of its own, and only where the axes have a place', () => {
    const figure = figureOf([point(1, 2), point(8, 4)])
    const drawn = drawnSeries(
      [
        [1, 0],
        [4, 2],
        [8, 3],
      ],
      figure,
      'you drew',
    )
    expect(drawn.points.map(({ x }) => x)).toEqual([4, 8])
    const { series, labels } = layOutPlot({ ...figure, series: [...figure.series, drawn] }, 600)
    expect(series.map(({ path }) => path !== '')).toEqual([false, true])
    expect(labels).toEqual([])
  })
})

it('keeps the ends of the axes that it is given', () => {
  const { y, x, plot } = layOutPlot(figureOf([]), 400, { x: [1, 64], y: [0.1, 1000] })
  expect([y(0.1), y(1000)]).toEqual([plot.bottom, plot.top])
  expect([x(1), x(64)]).toEqual([plot.left, plot.right])
})

it('writes a value as its axis does', () => {
  expect([1, 1536, 65536].map((value) => quantityText(log, value))).toEqual(['1 KiB', '1.5 MiB', '64 MiB'])
  expect(quantityText({ ...log, unit: '' }, 1536)).toBe('1536')
  expect(quantityText(linear, 2.6543)).toMatch(/^2\.65\s?ms$/)
})
