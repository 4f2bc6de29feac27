import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GROUPS, histogramOf, layOutHistogram, summariesOf, type Asked, type Values } from './histogram'

const PERCENT: Asked = { unit: '%', range: [0, 100], doublings: false }
const measured = (values: readonly number[], group: Values['measured'][number]['group'] = 'discrete') =>
  values.map((value) => ({ group, value }))

describe('a histogram of a class', () => {
  it('has round bins over the slider’s range, and each value in one of them', () => {
    const histogram = histogramOf({ predicted: [75, 80, 100, 0], measured: measured([9, 9.5, 12]) }, PERCENT)
    expect(histogram?.domain).toEqual([0, 100])
    expect(histogram?.bins.map(({ from, to }) => [from, to])).toEqual(
      Array.from({ length: 10 }, (_, index) => [10 * index, 10 * index + 10]),
    )
    expect(histogram?.bins[0]).toEqual({ from: 0, to: 10, predicted: 1, measured: { discrete: 2 } })
    expect(histogram?.bins[8]?.predicted).toBe(1)
    expect(histogram?.bins[9]?.predicted).toBe(1)
  })

  it('goes by doublings where the slider does, and by decades where values spread', () => {
    const doublings = histogramOf(
      { predicted: [64, 500], measured: measured([800]) },
      { unit: 'n', range: [32, 4096], doublings: true },
    )
    expect(doublings).toMatchObject({ axis: { scale: 'log2' }, domain: [32, 4096] })
    expect(doublings?.bins).toHaveLength(7)
    const decades = histogramOf(
      { predicted: [0.5, 2000], measured: [] },
      { unit: 'ms', range: null, doublings: false },
    )
    expect(decades).toMatchObject({ axis: { scale: 'log10' }, domain: [0.1, 10_000] })
    expect(
      histogramOf({ predicted: [0, 2000], measured: [] }, { unit: 'ms', range: null, doublings: false })?.axis
        .scale,
    ).toBe('linear')
  })

  it('is none of nothing, and of a single value still one', () => {
    expect(histogramOf({ predicted: [], measured: [] }, PERCENT)).toBeNull()
    const one = histogramOf({ predicted: [5], measured: [] }, { unit: '', range: null, doublings: false })
    expect(one?.bins.reduce((sum, { predicted }) => sum + predicted, 0)).toBe(1)
  })

  it('counts every value once, and draws it within its panel, whatever the values', () => {
    const value = fc.oneof(
      fc.double({ min: -1e6, max: 1e6, noNaN: true }),
      fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
      fc.constant(0),
      fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 }),
    )
    const values = fc.record({
      predicted: fc.array(value),
      measured: fc.array(fc.record({ group: fc.constantFrom(...GROUPS.map(({ id }) => id)), value })),
    })
    fc.assert(
      fc.property(values, fc.boolean(), fc.integer({ min: 200, max: 2000 }), (each, doublings, width) => {
        const histogram = histogramOf(each, { unit: '', range: null, doublings })
        if (!histogram) {
          expect(each.predicted.length + each.measured.length).toBe(0)
          return
        }
        const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
        expect(sum(histogram.bins.map(({ predicted }) => predicted))).toBe(each.predicted.length)
        expect(sum(histogram.bins.flatMap((bin) => Object.values(bin.measured)))).toBe(each.measured.length)
        const layout = layOutHistogram(histogram, each, width)
        for (const { top, bottom, bars } of layout.panels)
          for (const bar of bars) {
            expect(bar.y).toBeGreaterThanOrEqual(top - 1e-6)
            expect(bar.y + bar.height).toBeLessThanOrEqual(bottom + 1e-6)
            expect(bar.x).toBeGreaterThanOrEqual(layout.left - 1e-6)
            expect(bar.x + bar.width).toBeLessThanOrEqual(layout.right + 1.001)
          }
      }),
    )
  })

  it('has medians of both, and of each kind of adapter where there are several', () => {
    const values = {
      predicted: [60, 70, 80, 90],
      measured: [...measured([8, 10]), ...measured([50], 'software')],
    }
    expect(summariesOf(values)).toEqual([
      { label: 'Predicted', count: 4, median: 75, middle: [67.5, 82.5] },
      { label: 'Measured', count: 3, median: 10, middle: null },
      { label: 'Measured: discrete GPU', count: 2, median: 9, middle: null },
      { label: 'Measured: software, on the CPU', count: 1, median: 50, middle: null },
    ])
    expect(summariesOf({ predicted: [], measured: measured([1]) }).map(({ label }) => label)).toEqual([
      'Measured',
    ])
  })
})
