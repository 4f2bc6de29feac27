import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Figure, FigureAxis } from '../../../trace/figure'
import { domainOf, isPlaceable, scaleOf, ticksOf } from './axes'

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
  fc.assert(
    fc.property(
      anyAxis,
      anyAxis,
      fc.array(fc.tuple(positive, positive), { minLength: 1 }),
      (x, y, points) => {
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
      },
    ),
  ))

it('keeps numbers apart', () =>
  fc.assert(
    fc.property(
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
    ),
  ))

it('has no place for nothing on a logarithmic axis, and an axis where there are no values', () => {
  expect(isPlaceable(axisOf('log10'), 0)).toBe(false)
  expect(isPlaceable(axisOf('linear'), 0)).toBe(true)
  expect(isPlaceable(axisOf('linear'), Number.NaN)).toBe(false)
  expect(domainOf(figureOf(axisOf('log2'), axisOf('log10'), []), 'x')).toEqual([1, 10])
  expect(domainOf(figureOf(axisOf('linear'), axisOf('linear'), [[2, 5]]), 'y')[0]).toBe(0)
})
