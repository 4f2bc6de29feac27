import { describe, expect, it } from 'vitest'
import { wheelAction } from './gestures'

describe('wheelAction', () => {
  const wheel = {
    deltaX: 0,
    deltaY: 0,
    deltaMode: 0,
    ctrlKey: false,
    metaKey: false,
    shiftKey: false,
    altKey: false,
  }

  it('scrolls the rows with Alt, and over the column of names; else the wheel is the page’s', () => {
    const down = { ...wheel, deltaY: 100 }
    expect(wheelAction(down, true)).toEqual({ type: 'rows', cssY: 100 })
    expect(wheelAction({ ...wheel, altKey: true, deltaMode: 1, deltaY: -2 }, false)).toEqual({
      type: 'rows',
      cssY: -32,
    })
    expect(wheelAction({ ...down, ctrlKey: true }, true)?.type).toBe('zoom')
    expect(wheelAction({ ...down, deltaX: 300 }, true)?.type).toBe('pan')
  })

  it('leaves a plain vertical wheel to the page', () => {
    expect(wheelAction({ ...wheel, deltaY: 100 }, false)).toBeNull()
    expect(wheelAction({ ...wheel, deltaY: 100, deltaX: 20 }, false)).toBeNull()
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
      get altKey() {
        return false
      }
    }
    expect(wheelAction(new Event(), false)?.type).toBe('zoom')
  })

  it('zooms with ctrl or a pinch, both ways alike', () => {
    const zoomIn = wheelAction({ ...wheel, deltaY: -100, ctrlKey: true }, false)
    const zoomOut = wheelAction({ ...wheel, deltaY: 100, metaKey: true }, false)
    if (zoomIn?.type !== 'zoom' || zoomOut?.type !== 'zoom') throw new Error('ctrl + wheel zooms')
    expect(zoomIn.factor).toBeGreaterThan(1)
    expect(zoomIn.factor * zoomOut.factor).toBeCloseTo(1)
  })

  it('pans sideways, and with shift', () => {
    expect(wheelAction({ ...wheel, deltaX: 30 }, false)).toEqual({ type: 'pan', cssX: -30 })
    expect(wheelAction({ ...wheel, deltaY: 3, deltaMode: 1, shiftKey: true }, false)).toEqual({
      type: 'pan',
      cssX: -48,
    })
  })
})
