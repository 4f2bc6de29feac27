import fc from 'fast-check'
import { expect, it } from 'vitest'
import { offsetOf } from './clock-offset'

const STEP_MS = 0.005
const seen = (ms: number) => Math.floor(ms / STEP_MS) * STEP_MS

it('holds the true offset between its bounds, however slow each way is, and narrows with every reply', () => {
  const way = fc.double({ min: 0, max: 3, noNaN: true })
  fc.assert(
    fc.property(
      fc.double({ min: -1e6, max: 1e6, noNaN: true }),
      fc.array(fc.tuple(way, way), { minLength: 1, maxLength: 20 }),
      (offset, ways) => {
        let now = 1000
        const replies = ways.map(([there, back]) => {
          const askedMs = seen(now)
          const answeredMs = seen(now + there - offset)
          now += there + back
          return { askedMs, answeredMs, heardMs: seen(now) }
        })
        const found = offsetOf(replies, STEP_MS)
        expect(found?.lowMs).toBeLessThanOrEqual(offset + 1e-6)
        expect(found?.highMs).toBeGreaterThanOrEqual(offset - 1e-6)
        const quickest = Math.min(...ways.map(([there, back]) => there + back))
        expect((found?.highMs ?? NaN) - (found?.lowMs ?? NaN)).toBeLessThanOrEqual(
          quickest + 3 * STEP_MS + 1e-6,
        )
      },
    ),
  )
})

it('finds none where a clock was set in between, or nobody answered', () => {
  expect(offsetOf([], STEP_MS)).toBeNull()
  const jumped = [
    { askedMs: 0, answeredMs: 10, heardMs: 0.1 },
    { askedMs: 1, answeredMs: 12, heardMs: 1.1 },
  ]
  expect(offsetOf(jumped, STEP_MS)).toBeNull()
})
