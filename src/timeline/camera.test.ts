import { describe, expect, it } from 'vitest'
import { Camera, followJump, followStep, followTarget } from './camera'
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

describe('follow', () => {
  it('always has the newest evidence in sight, widening at first and sliding later', () => {
    for (const nowNs of [0, 10e6, 400e6, 1.9e9, 30e9]) {
      const view = followTarget(0, nowNs)
      expect(nowNs).toBeGreaterThanOrEqual(view.startNs)
      expect(nowNs).toBeLessThanOrEqual(view.endNs)
    }
    expect(viewWidthNs(followTarget(0, 1.5e9))).toBeGreaterThan(viewWidthNs(followTarget(0, 10e6)))
    expect(viewWidthNs(followTarget(0, 60e9))).toBe(viewWidthNs(followTarget(0, 30e9)))
  })

  it('moves towards its target without passing it, and arrives', () => {
    const target = followTarget(0, 5e9)
    let view = followTarget(0, 4e9)
    for (let frame = 0; frame < 200; frame += 1) {
      const next = followStep(view, target, 16, 5e9)
      expect(next.endNs).toBeGreaterThanOrEqual(view.endNs)
      expect(next.endNs).toBeLessThanOrEqual(target.endNs)
      view = next
    }
    expect(view).toBe(target)
  })

  it('never loses the newest evidence to smoothness, however slow the frames', () => {
    let view = followTarget(0, 0)
    for (let nowNs = 0; nowNs < 5e9; nowNs += 50e6) {
      view = followStep(view, followTarget(0, nowNs), 5, nowNs)
      expect(nowNs).toBeGreaterThanOrEqual(view.startNs)
      expect(nowNs).toBeLessThanOrEqual(view.endNs)
    }
  })

  it('jumps only when the evidence leaves the view', () => {
    const view = followTarget(0, 1e9)
    expect(followJump(view, 0, 1.01e9)).toBe(view)
    const jumped = followJump(view, 0, 9e9)
    expect(jumped.startNs).toBeLessThan(9e9)
    expect(jumped.endNs).toBeGreaterThan(9e9)
  })
})
