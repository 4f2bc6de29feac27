/** The clock of a playback: which speed, what a frame adds, where a step leads. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { momentAfter, neighbourOf, slowdownFor, SLOWDOWNS, lineAt } from './PlaybackBar'
import { forAll } from '../../../testing/for-all'
import { bar as made, row, strip } from '../../../strips/testing/made'

const MS = 1e6

describe('the speed of a playback', () => {
  it.each([
    ['4000 ms, beyond what any speed makes short', 4000, 10],
    ['900 ms', 900, 10],
    ['100 ms', 100, 100],
    ['8 ms', 8, 1000],
    ['a few µs, below what any speed makes long', 0.005, 1000],
  ])('follows from its length: %s', (_what, ms, slowdown) => expect(slowdownFor(ms * MS)).toBe(slowdown))

  it('is never faster for a shorter excerpt', () => {
    const length = fc.double({ min: 1e3, max: 1e10, noNaN: true })
    forAll(length, length, (one, other) => {
      expect(slowdownFor(Math.min(one, other))).toBeGreaterThanOrEqual(slowdownFor(Math.max(one, other)))
    })
  })
})

describe('a frame', () => {
  it.each(SLOWDOWNS)('at 1/%i moves on by its own time over that', (slowdown) =>
    expect(momentAfter(2 * MS, 20, slowdown, 1e12)).toBeCloseTo(2 * MS + (20 * MS) / slowdown, 0),
  )

  it('ends exactly at the end', () => expect(momentAfter(9.99 * MS, 100, 10, 10 * MS)).toBe(10 * MS))

  it('that comes after the tab was hidden does not leap', () => {
    const leap = momentAfter(0, 60_000, 10, 1e12)
    expect(leap).toBe(momentAfter(0, 3600_000, 10, 1e12))
    expect(leap).toBeLessThan(100 * MS)
  })
})

describe('a step', () => {
  const changes = [0, 3, 5, 9]

  it('goes from change to change, both ways', () => {
    expect([0, 3, 4, 5].map((at) => neighbourOf(changes, at, 1, 10))).toEqual([3, 5, 5, 9])
    expect([9, 5, 4, 3].map((at) => neighbourOf(changes, at, -1, 10))).toEqual([5, 3, 3, 0])
  })

  it('begins at the first change, or backwards at the last', () => {
    expect(neighbourOf(changes, null, 1, 10)).toBe(0)
    expect(neighbourOf(changes, null, -1, 10)).toBe(9)
    // The last change is the end itself: to step back to it would change nothing.
    expect(neighbourOf(changes, null, -1, 9)).toBe(5)
  })

  it('stops at the ends, also where nothing changes', () => {
    expect(neighbourOf(changes, 9, 1, 10)).toBe(10)
    expect(neighbourOf(changes, 10, 1, 10)).toBe(10)
    expect(neighbourOf(changes, 0, -1, 10)).toBe(0)
    expect(neighbourOf([], null, 1, 10)).toBe(10)
    expect(neighbourOf([], null, -1, 10)).toBe(0)
  })
})

const bar = (startNs: number, endNs: number, line: number) =>
  made(startNs, endNs, { kind: 'host-work', role: 'submit', line, span: line })

describe('the line that is lit', () => {
  const [first, second] = [bar(0, 10, 3), bar(20, 30, 5)]
  const own = strip([row('host', { bars: [first, second] })])

  it('is none with nothing pointed at and no playback', () => expect(lineAt(own, null, null)).toBeNull())
  it('is that of the bar that is pointed at', () => expect(lineAt(own, null, second)).toBe(second))
  it('is none for a bar of another variant', () => expect(lineAt(own, null, bar(20, 30, 5))).toBeNull())
  it('follows a playback, whatever is pointed at, and is none between calls and after the last', () => {
    expect(lineAt(own, 5, second)).toBe(first)
    expect(lineAt(own, 15, second)).toBeNull()
    expect(lineAt(own, 100, second)).toBeNull()
  })
})
