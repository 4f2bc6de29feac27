import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deviceWindows } from './device-windows'
import { MS, Scene } from './testing/scene'

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
