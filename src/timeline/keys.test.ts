import { describe, expect, it } from 'vitest'
import { rowScroll, wheelAction } from './gestures'
import { KEY_HELP, keyAction, type KeyPress } from './keys'

/** Keys as the help writes them. */
const HELP_NAMES: Readonly<Record<string, string>> = {
  '←': 'ArrowLeft',
  '→': 'ArrowRight',
  '↑': 'ArrowUp',
  '↓': 'ArrowDown',
  Esc: 'Escape',
}

const press = (key: string, more: Partial<KeyPress> = {}) =>
  keyAction({ key, shiftKey: false, ctrlKey: false, altKey: false, metaKey: false, ...more })

describe('keyAction', () => {
  it.each([
    ['w', { type: 'zoom' }],
    ['ArrowRight', { type: 'pan' }],
    ['.', { type: 'step', what: 'span', direction: 1 }],
    [',', { type: 'step', what: 'span', direction: -1 }],
    ['g', { type: 'step', what: 'gap', direction: 1 }],
    ['G', { type: 'step', what: 'gap', direction: -1 }],
    ['ArrowDown', { type: 'step', what: 'lane', direction: 1 }],
    ['0', { type: 'fit' }],
    ['f', { type: 'fit' }],
    ['F', { type: 'follow' }],
    ['End', { type: 'end' }],
    ['Home', { type: 'start' }],
    ['Enter', { type: 'zoom-selection' }],
    ['Escape', { type: 'clear' }],
    ['/', { type: 'ask', what: 'search' }],
    ['F3', { type: 'step', what: 'found', direction: 1 }],
    ['e', { type: 'step', what: 'flow', direction: 1 }],
    ['E', { type: 'step', what: 'flow', direction: -1 }],
    ['c', { type: 'chain' }],
    ['k', { type: 'ask', what: 'path' }],
  ])('%s', (key, action) => {
    expect(press(key)).toMatchObject(action)
  })

  it('undoes each zoom and pan by its opposite', () => {
    const [w, s, a, d] = ['w', 's', 'a', 'd'].map((key) => press(key))
    if (w?.type !== 'zoom' || s?.type !== 'zoom' || a?.type !== 'pan' || d?.type !== 'pan')
      throw new Error('W and S zoom, A and D pan')
    expect(w.factor * s.factor).toBeCloseTo(1)
    expect(w.factor).toBeGreaterThan(1)
    expect(a.share + d.share).toBeCloseTo(0)
    expect(d.share).toBeGreaterThan(0)
  })

  it('leaves chords, Tab and Space to the browser', () => {
    for (const key of ['Tab', ' ', 'PageDown', 'x']) expect(press(key)).toBeNull()
    expect(press('f', { ctrlKey: true, shiftKey: true })).toBeNull()
    expect(press('c', { ctrlKey: true })).toBeNull()
    expect(press('w', { metaKey: true })).toBeNull()
    expect(press('ArrowLeft', { altKey: true })).toBeNull()
  })

  it('takes the chord for searching, which finds nothing on a canvas', () => {
    expect(press('f', { ctrlKey: true })).toEqual(press('/'))
    expect(press('f', { metaKey: true })).toEqual(press('/'))
    expect(press('F3', { shiftKey: true })).toMatchObject({ what: 'found', direction: -1 })
  })

  it('explains each key once', () => {
    const keys = KEY_HELP.flatMap((line) => line.keys)
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('has a line of help for all that keys do', () => {
    const named = ['F3', 'Enter', 'Escape', 'Home', 'End', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']
    const ascii = Array.from({ length: 95 }, (_, index) => String.fromCodePoint(32 + index))
    // A zoom's factor and a pan's share are how much of the same.
    const what = (key: string): string | null => {
      const action = press(key)
      if (!action) return null
      if (action.type === 'zoom') return `zoom ${action.factor > 1 ? 'in' : 'out'}`
      if (action.type === 'pan') return `pan ${action.share > 0 ? 'on' : 'back'}`
      return JSON.stringify(action)
    }
    const explained = new Set(
      KEY_HELP.flatMap((line) => line.keys).map((key) => what(HELP_NAMES[key] ?? key)),
    )
    const bound = [...named, ...ascii].filter((key) => what(key) !== null)
    expect(bound.filter((key) => !explained.has(what(key)))).toEqual([])
    expect(bound.length).toBeGreaterThan(20)
  })

  it('explains no key that does nothing', () => {
    for (const key of KEY_HELP.flatMap(({ keys }) => keys))
      if (key !== '?' && key !== 't')
        expect(
          press(HELP_NAMES[key] ?? key.replace(/^([WASD])$/, (letter) => letter.toLowerCase())),
        ).not.toBeNull()
  })
})

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
