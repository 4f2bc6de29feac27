import fc from 'fast-check'
import { expect, it } from 'vitest'
import { offsetOf } from './clock-ping'
import { forAll } from '../../testing/for-all'

const STEP_MS = 0.005
/** Reads like Chromium: rounded down or up, by a threshold of its own in each step. */
const seen = (ms: number, threshold: number) => {
  const down = Math.floor(ms / STEP_MS)
  return (down + (ms / STEP_MS - down >= threshold ? 1 : 0)) * STEP_MS
}

it('holds the true offset between its bounds, however slow each way is, and narrows with every reply', () => {
  const way = fc.oneof(
    fc.double({ min: 0, max: 3, noNaN: true }),
    fc.double({ min: 0, max: 0.01, noNaN: true }),
  )
  const threshold = fc.double({ min: 0, max: 1, noNaN: true })
  forAll(
    fc.double({ min: -1e6, max: 1e6, noNaN: true }),
    fc.array(fc.tuple(way, way, threshold, threshold, threshold), { minLength: 1, maxLength: 20 }),
    (offset, ways) => {
      let now = 1000
      const replies = ways.map(([there, back, first, second, third]) => {
        const askedMs = seen(now, first)
        const answeredMs = seen(now + there - offset, second)
        now += there + back
        return { askedMs, answeredMs, heardMs: seen(now, third) }
      })
      const found = offsetOf(replies, STEP_MS)
      expect(found?.lowMs).toBeLessThanOrEqual(offset + 1e-6)
      expect(found?.highMs).toBeGreaterThanOrEqual(offset - 1e-6)
      const quickest = Math.min(...ways.map(([there, back]) => there + back))
      expect((found?.highMs ?? NaN) - (found?.lowMs ?? NaN)).toBeLessThanOrEqual(
        quickest + 6 * STEP_MS + 1e-6,
      )
    },
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
