/**
 * Pointers and wheel -> intentions. Made for a page that scrolls: a plain wheel and a vertical
 * swipe belong to the page; ctrl + wheel (which is also what a trackpad's pinch sends), sideways
 * wheel, drag and two fingers belong to the timeline.
 */

import type { PointerController } from './pointer-controller'
import type { CanvasPoint, Pointing } from './pointing'

interface WheelPress {
  readonly deltaX: number
  readonly deltaY: number
  readonly deltaMode: number
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
  readonly altKey: boolean
}
type WheelAction =
  | { readonly type: 'zoom'; readonly factor: number }
  | { readonly type: 'pan'; readonly cssX: number }
  /** Down. */
  | { readonly type: 'rows'; readonly cssY: number }

/** A wheel's line is taken as 16 px, its page as 400. */
const LINE_PX = 16
const PAGE_PX = 400

/**
 * Interprets a wheel event; null leaves it to the page. With Alt, and over the lanes' names, it
 * scrolls the rows. Pure. @internal
 */
export function wheelAction(wheel: WheelPress, isOverNames: boolean): WheelAction | null {
  const unit = wheel.deltaMode === 1 ? LINE_PX : wheel.deltaMode === 2 ? PAGE_PX : 1
  const [x, y] = [wheel.deltaX * unit, wheel.deltaY * unit]
  // A notch of a mouse is about 100 px and zooms by 1.25; a pinch sends a few px at a time and
  // stays as fine.
  if (wheel.ctrlKey || wheel.metaKey) return { type: 'zoom', factor: 2 ** (-y / 310) }
  if (wheel.shiftKey) return { type: 'pan', cssX: -(x === 0 ? y : x) }
  if (Math.abs(x) > Math.abs(y)) return { type: 'pan', cssX: -x }
  return (wheel.altKey || isOverNames) && y !== 0 ? { type: 'rows', cssY: y } : null
}

/** Less than this is a click with an unsteady hand. */
const DRAG_START_PX = 4

type Pair = readonly [CanvasPoint, CanvasPoint]
type Mode = 'idle' | 'pressed' | 'pan' | 'area' | 'pinch'

/**
 * Attaches listeners; returns what removes them. The element must take pointer events and be
 * positioned at the canvas's origin.
 * @param zoom CSS px to a px of the drawing, in which places are given
 */
export function attachGestures(
  element: HTMLElement,
  target: PointerController,
  pointing: Pick<Pointing, 'moveTo' | 'leave'>,
  zoom: () => number,
): () => void {
  const fingers = new Map<number, CanvasPoint>()
  let mode: Mode = 'idle'
  let pressed: CanvasPoint = { cssX: 0, cssY: 0 }
  let pinchPx = 0

  const place = (event: MouseEvent): CanvasPoint => {
    const box = element.getBoundingClientRect()
    return { cssX: (event.clientX - box.left) / zoom(), cssY: (event.clientY - box.top) / zoom() }
  }
  const pair = (): Pair | null => {
    const [first, second] = [...fingers.values()]
    return first && second ? [first, second] : null
  }
  const distance = ([a, b]: Pair): number => Math.max(8, Math.abs(a.cssX - b.cssX))
  const middleOf = ([a, b]: Pair): number => (a.cssX + b.cssX) / 2

  const onDown = (event: PointerEvent): void => {
    if (event.button !== 0) return
    const at = place(event)
    fingers.set(event.pointerId, at)
    element.setPointerCapture(event.pointerId)
    const two = pair()
    if (two) {
      if (mode === 'area') target.areaEnd()
      mode = 'pinch'
      pinchPx = distance(two)
      return
    }
    pressed = at
    mode = 'pressed'
    if (event.shiftKey || target.isAxis(at)) {
      mode = 'area'
      target.areaFrom(at)
    }
  }

  const onMove = (event: PointerEvent): void => {
    const at = place(event)
    const finger = fingers.get(event.pointerId)
    if (!finger) {
      if (event.pointerType !== 'touch') pointing.moveTo(at)
      return
    }
    const before = pair()
    if (mode === 'pinch' && before) {
      fingers.set(event.pointerId, at)
      const two = pair() ?? before
      const [now, middle] = [distance(two), middleOf(two)]
      target.panBy(middle - middleOf(before), 0)
      target.zoomAt(now / pinchPx, middle)
      pinchPx = now
      return
    }
    if (mode === 'pressed' && Math.hypot(at.cssX - pressed.cssX, at.cssY - pressed.cssY) >= DRAG_START_PX) {
      mode = 'pan'
      pointing.leave()
      element.dataset['dragging'] = ''
    }
    if (mode === 'pan') target.panBy(at.cssX - finger.cssX, at.cssY - finger.cssY)
    if (mode === 'area') target.areaTo(at)
    if (mode !== 'pressed') fingers.set(event.pointerId, at)
  }

  const onUp = (event: PointerEvent): void => {
    if (!fingers.delete(event.pointerId)) return
    const at = place(event)
    delete element.dataset['dragging']
    if (mode === 'area') target.areaEnd()
    // A cancelled touch was the page scrolling, not a click.
    if (mode === 'pressed' && event.type === 'pointerup') target.clickAt(at)
    mode = mode === 'pinch' && fingers.size > 0 ? 'pan' : 'idle'
  }

  const onWheel = (event: WheelEvent): void => {
    const at = place(event)
    const action = wheelAction(event, target.isHeader(at.cssX))
    // Rows at their end leave it to the page.
    if (!action || (action.type === 'rows' && !target.scrollBy(action.cssY / zoom()))) return
    event.preventDefault()
    if (action.type === 'zoom') target.zoomAt(action.factor, at.cssX)
    if (action.type === 'pan') target.panBy(action.cssX / zoom(), 0)
  }
  const onLeave = (event: PointerEvent): void => {
    if (!fingers.has(event.pointerId)) pointing.leave()
  }
  const onDoubleClick = (event: MouseEvent): void => target.doubleClickAt(place(event))

  const aborter = new AbortController()
  const { signal } = aborter
  element.addEventListener('pointerdown', onDown, { signal })
  element.addEventListener('pointermove', onMove, { signal })
  element.addEventListener('pointerup', onUp, { signal })
  element.addEventListener('pointercancel', onUp, { signal })
  element.addEventListener('pointerleave', onLeave, { signal })
  element.addEventListener('dblclick', onDoubleClick, { signal })
  element.addEventListener('wheel', onWheel, { signal, passive: false })
  return () => aborter.abort()
}
