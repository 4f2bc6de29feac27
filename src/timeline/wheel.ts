/** Interprets a wheel event. Pure. */
interface WheelPress {
  readonly deltaX: number
  readonly deltaY: number
  readonly deltaMode: number
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
}
type WheelAction =
  | { readonly type: 'zoom'; readonly factor: number }
  | { readonly type: 'pan'; readonly cssX: number }

/** A wheel's line is taken as 16 px, its page as 400. */
const LINE_PX = 16
const PAGE_PX = 400

/**
 * Null leaves it to the page. Reads each property by name: an event's live on its prototype, and a
 * rest pattern would drop them.
 */
export function wheelAction(wheel: WheelPress): WheelAction | null {
  const { deltaX, deltaY, deltaMode, ctrlKey, metaKey, shiftKey } = wheel
  const unit = deltaMode === 1 ? LINE_PX : deltaMode === 2 ? PAGE_PX : 1
  // A notch of a mouse is about 100 px and zooms by 1.25; a pinch sends a few px at a time and
  // stays as fine.
  if (ctrlKey || metaKey) return { type: 'zoom', factor: 2 ** (-(deltaY * unit) / 310) }
  const sideways = shiftKey && deltaX === 0 ? deltaY : deltaX
  if (sideways === 0 || (!shiftKey && Math.abs(deltaX) <= Math.abs(deltaY))) return null
  return { type: 'pan', cssX: -sideways * unit }
}

/**
 * How far a wheel scrolls the rows, px down: with Alt, and over the lanes' names. Null: it is meant
 * for something else.
 */
export function rowScroll(
  wheel: WheelPress & { readonly altKey: boolean },
  overHeader: boolean,
): number | null {
  const { deltaX, deltaY, deltaMode, ctrlKey, metaKey, shiftKey, altKey } = wheel
  if (ctrlKey || metaKey || shiftKey || !(altKey || overHeader)) return null
  const unit = deltaMode === 1 ? LINE_PX : deltaMode === 2 ? PAGE_PX : 1
  return deltaY === 0 || Math.abs(deltaX) > Math.abs(deltaY) ? null : deltaY * unit
}
