import { expect, it } from 'vitest'
import { lastRound } from './bands'
import fc from 'fast-check'
import { makeCounterLevels, visitCounter } from './counter-levels'
import { forAll } from '../../testing/for-all'

it('finds the last counted round', () => {
  const band = (startNs: number, repeat: number) => ({
    span: 0,
    startNs,
    endNs: startNs + 5,
    variant: 'a',
    repeat,
    isWarmUp: repeat < 0,
  })
  expect(lastRound([band(0, -2), band(10, 0), band(20, 0), band(30, 1), band(40, 1)])).toEqual({
    startNs: 30,
    endNs: 45,
  })
  expect(lastRound([band(0, -2)])).toEqual({ startNs: 0, endNs: 5 })
  expect(lastRound([])).toBeNull()
})

const samples = fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: -5, max: 90 })), {
  maxLength: 200,
})

it('meets every sample of a range, alone or with the extremes of those that it shares a limit with', () =>
  forAll(samples, fc.nat(250), fc.nat(250), fc.integer({ min: 0, max: 3000 }), (made, a, b, limitNs) => {
    let now = 0
    const timeNs = Float64Array.from(made, ([step]) => (now += step))
    const value = Float64Array.from(made, ([, of]) => of)
    const columns = { name: 'depth', unit: '', lane: 0, length: made.length, timeNs, value }
    const levels = makeCounterLevels(columns)
    const first = Math.min(a, b, made.length)
    const last = Math.min(Math.max(a, b), made.length)
    const starts: number[] = []
    const seen: { low: number; high: number; lastValue: number }[] = []
    visitCounter(levels, first, last, limitNs, (at, low, high, lastValue) => {
      starts.push(at)
      seen.push({ low, high, lastValue })
    })
    const own = value.subarray(first, last)
    expect(Math.min(Infinity, ...seen.map(({ low }) => low))).toBe(Math.min(Infinity, ...own))
    expect(Math.max(-Infinity, ...seen.map(({ high }) => high))).toBe(Math.max(-Infinity, ...own))
    expect(seen.at(-1)?.lastValue).toBe(own.at(-1))
    expect(starts).toEqual([...starts].sort((x, y) => x - y))
    if (limitNs === 0) expect(starts).toEqual([...timeNs.subarray(first, last)])
    expect(levels.max).toBe(Math.max(made.length > 0 ? -Infinity : 0, ...value))
  }))
