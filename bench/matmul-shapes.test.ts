import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CommandError } from '../cli/terminal.mjs'
import { flopsOf, formatShape, parseShapes } from './matmul-shapes'
import { forAll } from '../src/testing/for-all'

const refusal = (parse: () => unknown): string => {
  try {
    parse()
  } catch (thrown) {
    if (thrown instanceof CommandError && thrown.exitCode === 2) return thrown.message
    throw thrown
  }
  throw new Error('accepted')
}

describe('shapes', () => {
  const side = fc.integer({ min: 1, max: 16_384 })

  it('are one number or three, with x or ×', () => {
    forAll(side, side, side, (m, n, k) => {
      expect(parseShapes(`${String(m)}x${String(n)}x${String(k)}`)).toEqual([{ m, n, k }])
      expect(parseShapes(` ${String(m)}×${String(n)}×${String(k)}`)).toEqual([{ m, n, k }])
      expect(parseShapes(String(m))).toEqual([{ m, n: m, k: m }])
    })
  })

  it.each(['', '0', '-4', '16385', '1e3', '4.5', '12x', '1x2', '1x2x3x4', '1x0x2', 'big', '0x10x1x1'])(
    "'%s' is refused",
    (text) => expect(refusal(() => parseShapes(text))).toMatch(/1 to 16384|one number or three/),
  )

  it('count once, however they are written', () => {
    expect(parseShapes('512,512x512x512, 4096x4096x64')).toEqual([
      { m: 512, n: 512, k: 512 },
      { m: 4096, n: 4096, k: 64 },
    ])
  })

  it('are written as M×N×K, or as a cube', () => {
    expect(formatShape({ m: 2, n: 2, k: 2 })).toBe('2³')
    expect(formatShape({ m: 1, n: 4096, k: 2 })).toBe('1×4096×2')
    expect(flopsOf({ m: 3, n: 5, k: 7 })).toBe(210)
  })
})
