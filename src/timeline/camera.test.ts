import { describe, expect, it } from 'vitest'
import { Camera } from './camera'
import { viewWidthNs } from './scale'
import type { View } from './types'

function setup(reducedMotion = false) {
  const seen: { view: View; following: boolean }[] = []
  const camera = new Camera((view, following) => seen.push({ view, following }))
  camera.reducedMotion = reducedMotion
  camera.setExtent({ startNs: 0, endNs: 10e9 })
  camera.reset({ startNs: 0, endNs: 1e9 }, false)
  seen.length = 0
  return { camera, seen }
}
const GOAL = { startNs: 4e9, endNs: 5e9 }

describe('Camera', () => {
  it('glides to its aim in 150 ms and stops there', () => {
    const { camera } = setup()
    camera.glide(GOAL, 1000)
    expect(camera.aim).toEqual(GOAL)
    expect(camera.advance(1050, null)).toBe(true)
    expect(camera.view.startNs).toBeGreaterThan(0)
    expect(camera.view.startNs).toBeLessThan(4e9)
    expect(camera.advance(1150, null)).toBe(false)
    expect(camera.view).toEqual(GOAL)
    expect(camera.advance(1200, null)).toBe(false)
  })

  it('does not move through in-between views under reduced motion', () => {
    const { camera, seen } = setup(true)
    camera.glide(GOAL, 1000)
    camera.advance(1050, null)
    expect(seen).toEqual([{ view: GOAL, following: false }])
  })

  it('follows while asked to, and lets go of it by any hand, saying so once', () => {
    const { camera, seen } = setup()
    for (const act of [() => camera.jump(GOAL), () => camera.glide({ startNs: 1e9, endNs: 3e9 }, 0)]) {
      camera.follow(true)
      camera.advance(0, 9e9)
      expect(camera.view.endNs).toBeGreaterThan(9e9)
      seen.length = 0
      act()
      expect(camera.following).toBe(false)
      expect(seen.filter(({ following }) => !following).length).toBeGreaterThan(0)
      const held = camera.aim
      camera.advance(1000, 9.9e9)
      expect(camera.view).toEqual(held)
    }
  })

  it('stays within limits, and new data does not cut a glide short', () => {
    const { camera } = setup()
    camera.jump({ startNs: -50e9, endNs: 90e9 })
    expect(viewWidthNs(camera.view)).toBeLessThan(11e9)
    camera.jump({ startNs: 0, endNs: 1e9 })
    camera.glide(GOAL, 1000)
    camera.advance(1050, null)
    const { view } = camera
    camera.setExtent({ startNs: 0, endNs: 11e9 })
    expect(camera.view).toBe(view)
    camera.advance(1150, null)
    expect(camera.view).toEqual(GOAL)
  })
})
