import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomWord } from '../pcg'
import { chainWord } from './chain'
import { fillValue } from './fill'
import { GATHER_WORDS, gatherPosition } from './gather'
import { forAll, forAllOf } from '../../../testing/for-all'

const u32 = fc.integer({ min: 0, max: 2 ** 32 - 1 })

/** pcg.wgsl once more, in BigInt arithmetic modulo 2^32: independent of Math.imul and of signs. */
function pcgExactly(input: number): number {
  const mask = 0xffffffffn
  const state = (BigInt(input) * 747796405n + 2891336453n) & mask
  const word = (((state >> ((state >> 28n) + 4n)) ^ state) * 277803737n) & mask
  return Number((word >> 22n) ^ word)
}

const randomWordExactly = (index: number, seed: number): number =>
  pcgExactly((index + pcgExactly(seed)) % 2 ** 32)

it('hashes as unsigned 32-bit arithmetic does', () => {
  forAllOf(2000)(u32, u32, (index, seed) => randomWord(index, seed) === randomWordExactly(index, seed))
  for (const input of [0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1]) {
    expect(randomWord(0, input)).toBe(randomWordExactly(0, input))
    expect(randomWord(input, 0)).toBe(randomWordExactly(input, 0))
  }
})

it('counts indices modulo 2^32, as the device does', () => {
  forAll(u32, u32, (index, seed) => randomWord(index, seed) === randomWord(index + 2 ** 32, seed))
})

describe('fillValue', () => {
  it('is an exact f32 in [-1, 1)', () => {
    forAllOf(2000)(u32, u32, (index, seed) => {
      const value = fillValue(index, seed)
      return value >= -1 && value < 1 && Math.fround(value) === value && Number.isInteger(value * 2 ** 23)
    })
  })

  it('has the mean and variance of a uniform distribution, and streams that do not follow each other', () => {
    const count = 1 << 16
    const moments = { mean: 0, square: 0, lagged: 0, crossed: 0 }
    for (let index = 0; index < count; index += 1) {
      const value = fillValue(index, 1)
      moments.mean += value / count
      moments.square += value ** 2 / count
      moments.lagged += (value * fillValue(index + 1, 1)) / count
      // Seeds that differ by 1 must not give the same stream, shifted by one.
      moments.crossed += (fillValue(index + 1, 1) * fillValue(index, 2)) / count
    }
    // Standard errors: 0.58/256 = 0.0023 for the mean, 0.0012 for the square, 0.0013 for products;
    // 5 of them.
    expect(Math.abs(moments.mean)).toBeLessThan(0.012)
    expect(Math.abs(moments.square - 1 / 3)).toBeLessThan(0.006)
    expect(Math.abs(moments.lagged)).toBeLessThan(0.0065)
    expect(Math.abs(moments.crossed)).toBeLessThan(0.0065)
  })
})

describe('gatherPosition', () => {
  it('lies within the words', () => {
    forAll(
      u32,
      fc.integer({ min: 0, max: GATHER_WORDS - 1 }),
      fc.integer({ min: 1, max: 2 ** 30 }),
      (seed, i, words) => {
        const position = gatherPosition(i, seed, words)
        return Number.isInteger(position) && position >= 0 && position < words
      },
    )
  })

  it('reaches into every sixteenth of a batch, whatever the seed', () => {
    const words = 1 << 24
    for (let seed = 0; seed < 50; seed += 1) {
      const sixteenths = new Set<number>()
      for (let i = 0; i < GATHER_WORDS; i += 1)
        sixteenths.add(Math.floor((gatherPosition(i, seed, words) * 16) / words))
      // One left out by chance: 16 · (15/16)^256 = 1e-6 for each seed.
      expect(sixteenths.size).toBe(16)
    }
  })
})

describe('chainWord', () => {
  it('is arithmetic modulo 2^32, and depends on the order', () => {
    forAll(u32, u32, u32, (word, mask, half) => {
      const factor = ((half << 1) | 1) >>> 0
      expect(chainWord(word, { mask, factor })).toBe(
        Number(((BigInt(word) ^ BigInt(mask)) * BigInt(factor)) & 0xffffffffn),
      )
    })
    const [one, other] = [
      { mask: 5, factor: 3 },
      { mask: 9, factor: 7 },
    ]
    expect(chainWord(chainWord(1, one), other)).not.toBe(chainWord(chainWord(1, other), one))
  })
})
