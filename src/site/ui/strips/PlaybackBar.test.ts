/** The clock of a playback: its speed, what a frame adds, where a step leads. */
import { describe, expect, it } from 'vitest'
import { momentAfter, neighbourOf, slowdownFor, lineAt } from './PlaybackBar'
import { bar as made, row, strip } from '../../../strips/testing/made'

const MS = 1e6

it.each([
  ['8 ms', 8, 1000],
  ['80 ms', 80, 100],
  ['what took longer than a playback', 9000, 1],
])('a playback of %s is slower than it happened by its own factor', (_what, ms, slowdown) =>
  expect(slowdownFor(ms * MS)).toBe(slowdown),
)

describe('a frame', () => {
  it('moves on by its own time over that', () =>
    expect(momentAfter(2 * MS, 20, 80 * MS)).toBeCloseTo(2.2 * MS, 0))

  it('ends exactly at the end', () => expect(momentAfter(9.99 * MS, 100, 10 * MS)).toBe(10 * MS))

  it('that comes after the tab was hidden does not leap', () => {
    const leap = momentAfter(0, 60_000, 800 * MS)
    expect(leap).toBe(momentAfter(0, 3600_000, 800 * MS))
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
