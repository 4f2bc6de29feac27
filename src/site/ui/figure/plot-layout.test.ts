import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Figure, FigureAxis } from '../../../trace/figure'
import { layOutPlot, LINE, spread } from './plot-layout'
import { domainOf, isPlaceable, scaleOf, ticksOf } from './axes'
import { forAll } from '../../../testing/for-all'

const value = fc.double({ min: 1e-3, max: 1e6, noNaN: true })
const name = fc.constantFrom('Naive', 'Coalesced', 'Register-blocked', '')
const point = fc.record({ x: value, y: value, label: name }).map(({ x, y, label }) => ({
  x,
  y,
  low: y * 0.8,
  high: y * 1.3,
  label,
}))
const seriesOf = (id: string, marks: Figure['series'][number]['marks']) =>
  fc
    .array(point, { maxLength: 8 })
    .map((points) => ({ id, label: id, hue: 'device' as const, marks, points }))
const figure: fc.Arbitrary<Figure> = fc.record({
  id: fc.constant('f'),
  title: fc.constant('t'),
  caption: fc.constant('c'),
  x: fc.constant({ label: 'x', unit: '', scale: 'log2' as const }),
  y: fc.constant({ label: 'y', unit: 'ms', scale: 'log10' as const }),
  series: fc.tuple(seriesOf('a', 'points'), seriesOf('b', 'points-and-line'), seriesOf('c', 'line')),
  thresholds: fc.array(
    value.map((at) => ({
      axis: 'x' as const,
      value: at,
      low: at / 10,
      high: at * 10,
      label: `at ${String(at)}`,
    })),
    { maxLength: 3 },
  ),
})
const width = fc.integer({ min: 300, max: 1200 })

describe('a figure of points', () => {
  it('keeps every mark inside the plot, whatever the values and the width', () =>
    forAll(figure, width, (given, px) => {
      const { plot, series, thresholds } = layOutPlot(given, px)
      expect(plot.right - plot.left).toBeGreaterThan(100)
      const isInside = (at: number, low: number, high: number) => at >= low - 0.01 && at <= high + 0.01
      for (const { points } of series)
        for (const { x, y, whisker } of points) {
          expect(isInside(x, plot.left, plot.right)).toBe(true)
          for (const at of [y, ...(whisker ?? [])]) expect(isInside(at, plot.top, plot.bottom)).toBe(true)
        }
      for (const { at, band } of thresholds)
        for (const edge of [at, ...(band ?? [])]) expect(isInside(edge, plot.left, plot.right)).toBe(true)
    }))

  it('lets no upright line pass through the name of another', () =>
    forAll(fc.uniqueArray(value, { maxLength: 6 }), width, (values, px) => {
      const thresholds = values.map((at, index) => ({
        axis: 'x' as const,
        value: at,
        low: null,
        high: null,
        label: `lesson ${String(index)}`,
      }))
      const empty = { id: 'f', title: '', caption: '', series: [] }
      const axis = { label: '', unit: 'ms', scale: 'log10' as const }
      const placed = layOutPlot({ ...empty, x: axis, y: axis, thresholds }, px).thresholds
      for (const { label } of placed)
        for (const { at, label: other } of placed) {
          const ends = [label.x, label.x + (label.anchor === 'end' ? -1 : 1) * 6.6 * label.text.length]
          const isBeside = at <= Math.min(...ends) || at >= Math.max(...ends)
          expect(isBeside || (other.leader?.[1] ?? 0) > label.y).toBe(true)
        }
    }))

  it('writes no name of a point over another one of its column', () =>
    forAll(
      fc.array(fc.double({ min: 1, max: 1e4, noNaN: true }), { minLength: 2, maxLength: 7 }),
      width,
      (ys, px) => {
        const points = ys.map((y, index) => ({
          x: 8,
          y,
          low: null,
          high: null,
          label: `kernel ${String(index)}`,
        }))
        const given: Figure = {
          id: 'f',
          title: '',
          caption: '',
          x: { label: 'x', unit: '', scale: 'log2' },
          y: { label: 'y', unit: '', scale: 'log10' },
          series: [{ id: 's', label: '', hue: 'host', marks: 'points', points }],
          thresholds: [],
        }
        const at = layOutPlot(given, px)
          .labels.map(({ y }) => y)
          .toSorted((a, b) => a - b)
        at.slice(1).forEach((y, index) => expect(y - (at[index] ?? 0)).toBeGreaterThanOrEqual(LINE - 0.01))
      },
    ))
})

const positions = fc.array(fc.double({ min: 0, max: 500, noNaN: true }), { minLength: 1, maxLength: 12 })

it('keeps order and gap, and stays within the bounds where there is room', () =>
  forAll(positions, (wanted) => {
    const placed = spread(wanted, 14, 0, 500)
    const order = wanted.map((_, index) => index).toSorted((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0))
    order
      .slice(1)
      .forEach((index, rank) =>
        expect((placed[index] ?? 0) - (placed[order[rank] ?? 0] ?? 0)).toBeGreaterThanOrEqual(14 - 1e-6),
      )
    for (const at of placed) {
      expect(at).toBeGreaterThanOrEqual(-1e-6)
      expect(at).toBeLessThanOrEqual(500 + 1e-6)
    }
  }))

it('moves nothing that has room already', () =>
  expect(spread([10, 40, 90], 14, 0, 500)).toEqual([10, 40, 90]))

it('moves the lower of two that collide, or the upper where there is no room below', () => {
  expect(spread([50, 0, 50], 14, 0, 500)).toEqual([50, 0, 64])
  expect(spread([50, 50], 14, 0, 60)).toEqual([46, 60])
})

const axisOf = (scale: FigureAxis['scale']): FigureAxis => ({ label: 'x', unit: '', scale })
const anyAxis = fc.constantFrom(axisOf('linear'), axisOf('log2'), axisOf('log10'))
const positive = fc.double({ min: 1e-6, max: 1e9, noNaN: true })

const figureOf = (x: FigureAxis, y: FigureAxis, points: readonly (readonly [number, number])[]): Figure => ({
  id: 'f',
  title: '',
  caption: '',
  x,
  y,
  series: [
    {
      id: 's',
      label: '',
      hue: 'host',
      marks: 'points',
      points: points.map(([px, py]) => ({ x: px, y: py, low: py * 0.9, high: py * 1.1, label: '' })),
    },
  ],
  thresholds: [],
})

it('has a place for every value, interval and tick', () =>
  forAll(anyAxis, anyAxis, fc.array(fc.tuple(positive, positive), { minLength: 1 }), (x, y, points) => {
    const figure = figureOf(x, y, points)
    const scale = scaleOf(y, domainOf(figure, 'y'), [400, 0])
    for (const [, value] of points)
      for (const at of [value * 0.9, value, value * 1.1].map(scale)) {
        expect(at).toBeGreaterThanOrEqual(-1e-6)
        expect(at).toBeLessThanOrEqual(400 + 1e-6)
      }
    for (const { at } of ticksOf(y, scale, 40)) {
      expect(at).toBeGreaterThanOrEqual(-1e-6)
      expect(at).toBeLessThanOrEqual(400 + 1e-6)
    }
  }))

it('keeps numbers apart', () =>
  forAll(
    fc.constantFrom(axisOf('log2'), axisOf('log10')),
    positive,
    fc.double({ min: 4, max: 1e9, noNaN: true }),
    (axis, from, factor) => {
      const scale = scaleOf(axis, [from, from * factor], [0, 600])
      const numbers = ticksOf(axis, scale, 40)
        .filter(({ text }) => text !== '')
        .map(({ at }) => at)
        .toSorted((a, b) => a - b)
      numbers.slice(1).forEach((at, index) => expect(at - (numbers[index] ?? 0)).toBeGreaterThan(30))
    },
  ))

it('has no place for nothing on a logarithmic axis, and an axis where there are no values', () => {
  expect(isPlaceable(axisOf('log10'), 0)).toBe(false)
  expect(isPlaceable(axisOf('linear'), 0)).toBe(true)
  expect(isPlaceable(axisOf('linear'), Number.NaN)).toBe(false)
  expect(domainOf(figureOf(axisOf('log2'), axisOf('log10'), []), 'x')).toEqual([1, 10])
  expect(domainOf(figureOf(axisOf('linear'), axisOf('linear'), [[2, 5]]), 'y')[0]).toBe(0)
})
