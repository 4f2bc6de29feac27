/** Where the parts of a strip lie. */
import { describe, expect, it } from 'vitest'
import {
  drawnIdle,
  idleOf,
  type StoryBar,
  type StoryIdle,
  type StoryRow,
  type StoryStrip,
} from '../../state/story'
import {
  bandsOf,
  depthPath,
  extentOf,
  fits,
  gutterOf,
  isWait,
  namedWaits,
  rankOf,
  rankWords,
} from './story-layout'

const row = (kind: StoryRow['kind'], name: string = kind): StoryRow => ({
  kind,
  name,
  group: name,
  bars: [],
})
const stripOf = (rows: readonly StoryRow[], depth: StoryStrip['depth'] = []): StoryStrip => ({
  variant: 'a',
  repeat: 0,
  zeroNs: 0,
  windowNs: 100,
  rows,
  idle: [],
  messages: [],
  depth,
  stepsEnded: 0,
})
const DEPTH = [{ atNs: 0, value: 1 }]

describe('bands', () => {
  const strip = stripOf([row('host'), row('staging', 'one'), row('staging', 'two'), row('device')], DEPTH)

  it('lie from host to device, none over another, and fill the height', () => {
    const { bands, height } = bandsOf(strip, true, 800)
    expect(bands.map(({ kind }) => kind)).toEqual(['host', 'queue', 'staging', 'staging', 'device'])
    let before = 0
    for (const { top, height: own } of bands) {
      expect(top).toBeGreaterThanOrEqual(before)
      before = top + own
    }
    expect(before).toBe(height)
  })

  it('give the device the most room', () => {
    const { bands } = bandsOf(strip, true, 800)
    const device = bands.find(({ kind }) => kind === 'device')?.height ?? 0
    for (const { kind, height } of bands) if (kind !== 'device') expect(height).toBeLessThan(device)
  })

  it('leave out staging buffers where the lesson is not about them, and a queue without depth', () => {
    expect(bandsOf(strip, false, 800).bands.map(({ kind }) => kind)).toEqual(['host', 'queue', 'device'])
    expect(bandsOf(stripOf([row('host')]), true, 800).bands.map(({ kind }) => kind)).toEqual(['host'])
  })

  it('of nothing take no room', () => {
    expect(bandsOf(stripOf([]), true, 800)).toEqual({ bands: [], height: 0 })
  })
})

describe('bars', () => {
  it('are as wide as they were long', () => {
    expect(extentOf({ startNs: 200, endNs: 700 }, 0.1)).toEqual({ x: 20, width: 50 })
  })

  it('that began before the zero are cut there, not moved', () => {
    const { x, width } = extentOf({ startNs: -300, endNs: 700 }, 0.1)
    expect([x, width]).toEqual([0, 70])
  })

  it('too short to be seen are drawn so that they are, where they were', () => {
    const { x, width } = extentOf({ startNs: 1000, endNs: 1001 }, 0.001)
    expect(x).toBe(1)
    expect(width).toBeGreaterThanOrEqual(1)
    expect(width).toBeLessThan(2)
  })

  it('are waits only on the host', () => {
    const of = (kind: StoryBar['kind']) => isWait({ kind } as StoryBar) // Only its kind is read.
    expect(of('host-wait')).toBe(true)
    expect(of('submit')).toBe(false)
    expect(of('compute')).toBe(false)
  })
})

describe('idle time', () => {
  const idle = (startNs: number, endNs: number, group = 'device'): StoryIdle => ({
    startNs,
    endNs,
    cause: 'host-waited',
    group,
    gap: 0,
  })

  it('is that of the row’s own device, where ranks have one each', () => {
    const strip = { idle: [idle(0, 20, 'rank 0 · device'), idle(10, 40, 'rank 1 · device')] }
    expect(idleOf(strip, row('device', 'rank 1 · device')).map(({ startNs }) => startNs)).toEqual([10])
  })

  it('is filled where it is two pixels wide or more', () => {
    const all = [idle(0, 20), idle(30, 49), idle(60, 100)]
    expect(drawnIdle(all, 0.1).map(({ startNs }) => startNs)).toEqual([0, 60])
  })
})

describe('the queue', () => {
  it('is a stepped area from the ground, as high as it is deep', () => {
    const path = depthPath(
      [
        { atNs: 0, value: 0 },
        { atNs: 100, value: 2 },
        { atNs: 300, value: 1 },
      ],
      2,
      1000,
      0.1,
      12,
    )
    expect(path).toBe('M0 12H0.0V12.0H10.0V0.0H30.0V6.0H100.0V12Z')
  })

  it('begins at the zero with what was in it before', () => {
    expect(depthPath([{ atNs: -50, value: 1 }], 1, 1000, 0.1, 12)).toBe('M0 12H0.0V0.0H100.0V12Z')
  })

  it('that was empty throughout is no path', () => {
    expect(depthPath([{ atNs: 0, value: 0 }], 0, 1000, 0.1, 12)).toBe('')
  })
})

it('a text is inside a bar only where all of it fits', () => {
  expect(fits('idle', 36)).toBe(true)
  expect(fits('idle', 35)).toBe(false)
  expect(fits('idle 92 %: host waited', 100)).toBe(false)
})

describe('the names of ranks', () => {
  const named = (name: string) => ({ ...row('host'), name })
  const ranks = stripOf([named('rank 0 · host'), named('rank 12 · host')])

  it('have room of their own beside the rows, the number alone on a phone', () => {
    expect(gutterOf([stripOf([row('host')]), ranks], 800)).toBeGreaterThan(6.2 * rankWords(9, 800).length)
    expect(gutterOf([ranks], 358)).toBeLessThan(gutterOf([ranks], 800))
    expect(gutterOf([ranks], 358)).toBeGreaterThan(6.2 * rankWords(9, 358).length)
    expect(gutterOf([stripOf([row('host')])], 800)).toBe(0)
  })

  it('are those of the lanes', () => {
    expect(ranks.rows.map(rankOf)).toEqual([0, 12])
    expect(rankOf(row('host'))).toBeNull()
    expect([rankWords(3, 800), rankWords(3, 358)]).toEqual(['rank 3', '3'])
  })
})

it('names one wait of several at once, and each of those one after another', () => {
  const bar = (
    span: number,
    startNs: number,
    endNs: number,
    kind: StoryBar['kind'] = 'host-wait',
  ): StoryBar => ({ span, startNs, endNs, kind }) as StoryBar // the rest is not read
  const bars = [bar(0, 20, 60), bar(1, 0, 40), bar(2, 40, 50), bar(3, 0, 90, 'host-work')]
  expect(namedWaits(bars).map(({ span }) => span)).toEqual([1, 2])
})
