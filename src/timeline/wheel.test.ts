import { describe, expect, it } from 'vitest'
import { rowScroll, wheelAction } from './gestures'

describe('rowScroll', () => {
  const wheel = {
    deltaX: 0,
    deltaY: 100,
    deltaMode: 0,
    ctrlKey: false,
    metaKey: false,
    shiftKey: false,
    altKey: false,
  }

  it('is for Alt, and for the column of names; else the wheel is the page’s', () => {
    expect(rowScroll(wheel, false)).toBeNull()
    expect(rowScroll(wheel, true)).toBe(100)
    expect(rowScroll({ ...wheel, altKey: true, deltaMode: 1, deltaY: -2 }, false)).toBe(-32)
    expect(rowScroll({ ...wheel, ctrlKey: true }, true)).toBeNull()
    expect(rowScroll({ ...wheel, deltaX: 300 }, true)).toBeNull()
  })
})

describe('wheelAction', () => {
  const wheel = { deltaX: 0, deltaY: 0, deltaMode: 0, ctrlKey: false, metaKey: false, shiftKey: false }

  it('leaves a plain vertical wheel to the page', () => {
    expect(wheelAction({ ...wheel, deltaY: 100 })).toBeNull()
    expect(wheelAction({ ...wheel, deltaY: 100, deltaX: 20 })).toBeNull()
  })

  it('reads events, whose properties are getters of their prototype', () => {
    class Event {
      get deltaX() {
        return 0
      }
      get deltaY() {
        return -100
      }
      get deltaMode() {
        return 0
      }
      get ctrlKey() {
        return true
      }
      get metaKey() {
        return false
      }
      get shiftKey() {
        return false
      }
    }
    expect(wheelAction(new Event())?.type).toBe('zoom')
  })

  it('zooms with ctrl or a pinch, both ways alike', () => {
    const zoomIn = wheelAction({ ...wheel, deltaY: -100, ctrlKey: true })
    const zoomOut = wheelAction({ ...wheel, deltaY: 100, metaKey: true })
    if (zoomIn?.type !== 'zoom' || zoomOut?.type !== 'zoom') throw new Error('ctrl + wheel zooms')
    expect(zoomIn.factor).toBeGreaterThan(1)
    expect(zoomIn.factor * zoomOut.factor).toBeCloseTo(1)
  })

  it('pans sideways, and with shift', () => {
    expect(wheelAction({ ...wheel, deltaX: 30 })).toEqual({ type: 'pan', cssX: -30 })
    expect(wheelAction({ ...wheel, deltaY: 3, deltaMode: 1, shiftKey: true })).toEqual({
      type: 'pan',
      cssX: -48,
    })
  })
})
