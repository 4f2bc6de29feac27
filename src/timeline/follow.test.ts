import { describe, expect, it } from 'vitest'
import { followJump, followStep, followTarget } from './camera'
import { viewWidthNs } from './scale'

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
