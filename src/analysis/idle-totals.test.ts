import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findGaps } from './gaps'
import { idleTotals } from './idle-totals'
import { MS, Scene, plainGap } from './testing/scene'
import type { Gap, GapCause } from '../trace/gaps'
import { deviceWindows } from './device-windows'

/** Passes of 1 ms, apart by the gaps given (ms), in each repeat. */
function scene(repeats: readonly (readonly number[])[]): Scene {
  const made = new Scene()
  let [at, submission] = [10, 1]
  for (const [repeat, gaps] of repeats.entries()) {
    made.tag = { variant: 'v', repeat }
    for (const gap of [0, ...gaps]) {
      at += gap
      made.submit(submission, at - 0.3)
      made.pass(submission, at, at + 1)
      at += 1
      submission += 1
    }
    at += 5
  }
  return made
}

describe('idleTotals', () => {
  it('sums by cause over the counted repeats, with a figure a repeat', () => {
    const placed = scene([
      [1, 3],
      [2, 4],
      [1, 1],
    ]).place()
    const gaps = findGaps(placed).map((gap): Gap => ({
      ...plainGap(gap),
      cause: gap.durationNs > 2 * MS ? 'host-waited' : 'host-late',
    }))
    const [variant, ...others] = idleTotals(placed.trace, gaps)
    expect(others).toEqual([])
    expect(variant).toMatchObject({ variant: 'v', repeats: 3, idleNs: 12 * MS, extentNs: 21 * MS })
    expect(variant?.causes.map(({ cause, count, totalNs }) => [cause, count, totalNs / MS])).toEqual([
      ['host-waited', 2, 7],
      ['host-late', 4, 5],
    ])
    const [waited, late] = variant?.causes ?? []
    expect(waited?.longestNs).toBe(4 * MS)
    expect(gaps[waited?.longest ?? -1]?.durationNs).toBe(4 * MS)
    expect(waited?.share).toBeCloseTo(7 / 21, 12)
    // 3, 4 and none; 1, 2 and 2: a repeat without the cause counts.
    expect(waited?.perRepeat).toMatchObject({ value: 3, low: 0, n: 3 })
    expect(late?.perRepeat.value).toBe(2)
  })

  it('knows a variant whose device was never idle, and takes no warm-up for a repeat', () => {
    const made = scene([[]])
    made.tag = { variant: 'w', repeat: -2 }
    made.pass(90, 50, 51)
    made.pass(91, 60, 61)
    const placed = made.place()
    expect(idleTotals(placed.trace, findGaps(placed))).toMatchObject([
      { variant: 'v', repeats: 1, idleNs: 0, causes: [] },
    ])
    expect(idleTotals(new Scene().place().trace, [])).toEqual([])
  })

  it('leaves nothing out: causes add up to the idle time, idle and busy to the extent', () => {
    const causes: readonly GapCause[] = [
      'host-waited',
      'host-late',
      'upload-not-ready',
      'launch-overhead',
      'unknown',
    ]
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }), {
          minLength: 1,
          maxLength: 4,
        }),
        fc.array(fc.constantFrom(...causes), { minLength: 1 }),
        (repeats, picks) => {
          const placed = scene(repeats).place()
          const gaps = findGaps(placed).map((gap, at): Gap => ({
            ...plainGap(gap),
            cause: picks[at % picks.length] ?? 'unknown',
          }))
          const [variant] = idleTotals(placed.trace, gaps)
          const shares = variant?.causes.reduce((sum, { share }) => sum + share, 0) ?? Number.NaN
          const passes = repeats.reduce((sum, each) => sum + each.length + 1, 0)
          expect(variant?.causes.reduce((sum, { totalNs }) => sum + totalNs, 0)).toBe(variant?.idleNs)
          expect((variant?.idleNs ?? 0) + passes * MS).toBe(variant?.extentNs)
          expect(shares).toBeLessThan(1)
        },
      ),
    )
  })
})

describe('deviceWindows', () => {
  it('gives the union of passes over the time from first begin to last end, a repeat at a time', () => {
    const scene = new Scene({ boundMs: null, deviceStepNs: 1000 })
    scene.pass(1, 10, 12)
    scene.pass(2, 11, 13) // stamped early: not counted twice
    scene.pass(3, 15, 16)
    scene.pass(4, 20, 21, { repeat: 1 })
    scene.pass(5, 30, 31, { repeat: -2 })
    scene.pass(6, 40, 41, { variant: 'w' })
    scene.upload(3, 13, 15, 8) // a copy is no pass
    const windows = deviceWindows(scene.place().trace)
    expect(windows).toMatchObject([
      { variant: 'v', repeat: 0, busyNs: 4 * MS, extentNs: 6 * MS },
      { variant: 'v', repeat: 1, busyRatio: 1 },
      { variant: 'w', repeat: 0, busyRatio: 1 },
    ])
    expect(windows[0]?.passes).toHaveLength(3)
    expect(windows[0]?.busyRatio).toBeCloseTo(4 / 6, 12)
    expect(windows[0]?.busyBoundNs).toBeCloseTo(3 * Math.sqrt(3 / 6) * 1000, 6)
  })

  it('has no ratio for a window of no length, and no window without passes', () => {
    const scene = new Scene()
    scene.pass(1, 10, 10)
    expect(deviceWindows(scene.place().trace)).toMatchObject([{ busyNs: 0, extentNs: 0, busyRatio: NaN }])
    expect(deviceWindows(new Scene().place().trace)).toEqual([])
  })

  it('holds the true ratio when stamps are floored', () => {
    const stepNs = 65536
    const passes = fc.array(
      fc.tuple(fc.double({ min: 0.2, max: 3, noNaN: true }), fc.double({ min: 0.01, max: 3, noNaN: true })),
      { minLength: 2, maxLength: 40 },
    )
    const build = (lengths: readonly (readonly [number, number])[], floor: (ns: number) => number) => {
      const scene = new Scene({ deviceStepNs: stepNs })
      let at = 2000
      for (const [busy, idle] of lengths) {
        scene.pass(1, floor(at * MS) / MS, floor((at + busy) * MS) / MS)
        at += busy + idle
      }
      return deviceWindows(scene.builder.freeze())[0]
    }
    const random = fc.sample(passes, { numRuns: 300, seed: 4 })
    const held = random.filter((lengths) => {
      const exact = build(lengths, (ns) => ns)
      const floored = build(lengths, (ns) => Math.floor(ns / stepNs) * stepNs)
      return (
        Math.abs((exact?.busyRatio ?? NaN) - (floored?.busyRatio ?? NaN)) <= (floored?.busyRatioBound ?? 0)
      )
    })
    expect(held.length / random.length).toBeGreaterThan(0.985)
  })
})
