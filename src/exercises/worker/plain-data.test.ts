import { describe, expect, it } from 'vitest'
import { logLine, plainData } from './plain-data'

describe('what a program returned', () => {
  it('crosses as plain data', () => {
    const value = {
      list: [1, Number.NaN, null, undefined, 'x'],
      typed: new Float32Array([1, 2]),
      deep: { yes: true },
    }
    expect(plainData(value)).toEqual({ ...value, typed: [1, 2] })
  })

  it.each([
    [() => 1, 'a function'],
    [Symbol('x'), 'a symbol'],
    [1n, 'a bigint'],
    [[() => 1], 'a function'],
  ])('is refused where it cannot: %#', (value, words) => expect(() => plainData(value)).toThrow(words))

  it('is refused where there is no end to it', () => {
    const round: unknown[] = []
    round.push(round)
    expect(() => plainData(round)).toThrow(/without end/)
    expect(() => plainData({ length: 1, list: new Float64Array(200_000) })).toThrow(/more than 100000 values/)
  })

  it('is written in one line, cut off', () => {
    expect(logLine(['a', 1, { b: [2] }, null, undefined, () => 1])).toContain('a 1 {"b":[2]} null undefined')
    expect(logLine(['x'.repeat(1000)]).length).toBeLessThan(510)
    const thrower = {
      get x() {
        throw new Error('no')
      },
    }
    expect(logLine([thrower])).toBe('(not shown)')
  })
})
