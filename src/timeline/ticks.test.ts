import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { THIN } from './format'
import { timeTicks } from './ticks'
import { forAll } from '../testing/for-all'

describe('timeTicks', () => {
  it('ends, however far from zero: where a step is less than a double tells apart', () => {
    for (const startNs of [2 ** 53, -(2 ** 53), 9e15, 1e21, -1e21])
      for (const length of [1, 20, 1e3, 1e6]) {
        const { major, minorNs } = timeTicks({ startNs, endNs: startNs + length }, 1000)
        expect(major.length).toBeLessThan(100)
        expect(minorNs.length).toBeLessThan(500)
      }
  })

  it('uses the unit that suits the step', () => {
    const labels = (startNs: number, endNs: number) =>
      timeTicks({ startNs, endNs }, 500).major.map(({ label }) => label)
    expect(labels(0, 10e6)).toEqual(['0', '2', '4', '6', '8', '10'].map((text) => `${text}${THIN}ms`))
    expect(labels(0, 10e3).at(1)).toBe(`2${THIN}µs`)
    expect(labels(0, 40e9).at(-1)).toBe(`40${THIN}s`)
    expect(labels(0, 500).at(1)).toBe(`100${THIN}ns`)
  })

  it('moves shared digits into a base when they crowd the axis', () => {
    const { base, major } = timeTicks({ startNs: 1_234_567_100, endNs: 1_234_567_900 }, 800)
    expect(base?.label).toBe(`1234.567${THIN}ms`)
    expect(major[0]?.label).toBe(`+100${THIN}ns`)
    expect(timeTicks({ startNs: 0, endNs: 1e6 }, 800).base).toBeNull()
  })

  it('always labels evenly, in view, with distinct labels that say what they mean', () => {
    const units = { s: 1e9, ms: 1e6, µs: 1e3, ns: 1 } as const
    forAll(
      fc.double({ min: -1e9, max: 1e12, noNaN: true }),
      fc.double({ min: 3, max: 12, noNaN: true }),
      fc.integer({ min: 200, max: 3000 }),
      (startNs, power, widthPx) => {
        const view = { startNs, endNs: startNs + 10 ** power }
        const { major, minorNs, base, stepNs, unit } = timeTicks(view, widthPx)
        expect(major.length).toBeGreaterThan(0)
        expect(new Set(major.map(({ label }) => label)).size).toBe(major.length)
        for (const { timeNs, label } of major) {
          expect(timeNs).toBeGreaterThanOrEqual(view.startNs)
          expect(timeNs).toBeLessThanOrEqual(view.endNs)
          const value = Number(label.replaceAll(THIN, '').replace('\u2212', '-').replace(unit, ''))
          expect(Math.abs(value * units[unit] + (base?.timeNs ?? 0) - timeNs)).toBeLessThan(
            stepNs / 100 + 0.01,
          )
        }
        expect(minorNs.length).toBeLessThan(major.length * 6 + 12)
        if (base) expect(base.timeNs).toBeLessThanOrEqual(view.startNs)
      },
    )
  })
})
