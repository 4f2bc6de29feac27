import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rawTickOf, ticksFrom } from './exact-times'

const MAX_U64 = 2n ** 64n - 1n

it('differences of 64 bits are exact as far as a double is', () => {
  const near = fc.bigInt({ min: -(2n ** 52n), max: 2n ** 52n })
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: MAX_U64 }), near, (origin, offset) => {
      const tick = origin + offset
      fc.pre(tick >= 0n && tick <= MAX_U64)
      const [from, to] = [rawTickOf(String(origin)), rawTickOf(String(tick))]
      if (!from || !to) throw new Error('both are digits')
      expect(ticksFrom(from, to)).toBe(Number(offset))
    }),
  )
})

it.each(['', '-1', '+1', ' 1', '1.0', '1e3', '0x5', '１', '9'.repeat(21)])('%j is none', (text) =>
  expect(rawTickOf(text)).toBeNull(),
)
