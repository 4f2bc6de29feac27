import { describe, expect, it } from 'vitest'
import { sumArea } from './area'
import { MS, Scene } from './testing/scene'

function uploadingWhileComputing() {
  const scene = new Scene()
  scene.onHost('window', 'v', 0, 20)
  scene.onHost('host-work', 'fill staging 0', 2, 6, { bytes: 100, role: 'fill' })
  scene.onHost('submit', 'submit 1', 6, 6.1, { submission: 1 })
  scene.onHost('host-wait', 'await onSubmittedWorkDone()', 7, 15)
  scene.onHost('host-wait', 'await staging 1: mapAsync()', 14, 16, { role: 'wait-staging' })
  scene.pass(1, 4, 5)
  scene.pass(1, 5, 9)
  return scene.place()
}

describe('sumArea', () => {
  it('gives union, count and bytes per lane and kind, cut to the area', () => {
    const placed = uploadingWhileComputing()
    const sums = sumArea(placed, { startNs: 4.5 * MS, endNs: 14.5 * MS, lanes: [2, 0, 9] })
    expect(sums.map(({ lane, kind, count }) => [lane, kind, count])).toEqual([
      [2, 'compute', 2],
      [0, 'host-work', 1],
      [0, 'submit', 1],
      [0, 'host-wait', 2],
      [0, 'window', 1],
    ])
    const wait = sums.find((sum) => sum.kind === 'host-wait')
    expect(wait?.unionNs).toBe(7.5 * MS)
    expect(wait?.share).toBeCloseTo(0.75, 12)
    // It began before the area: its bytes belong there.
    expect(sums.find((sum) => sum.kind === 'host-work')?.bytes).toBeNull()
    expect(sumArea(placed, { startNs: 15 * MS, endNs: 0, lanes: [0] })[0]).toMatchObject({ bytes: 100 })
  })

  it('counts spans of no length that lie in it, and sums to nothing elsewhere', () => {
    const scene = new Scene()
    scene.onHost('encode', 'a', 3, 3)
    scene.onHost('encode', 'b', 3, 3)
    const placed = scene.place()
    const at = (startMs: number, endMs: number) =>
      sumArea(placed, { startNs: startMs * MS, endNs: endMs * MS, lanes: [0] })
    expect(at(3, 4)).toMatchObject([{ count: 2, unionNs: 0, share: 0 }])
    expect(at(2, 3)).toEqual([])
    expect(at(4, 9)).toEqual([])
    expect(sumArea(placed, { startNs: 0, endNs: 9 * MS, lanes: [] })).toEqual([])
  })
})
