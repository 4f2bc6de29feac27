/**
 * The scripted pan and zoom: over the whole, in by a factor of some thousands, to and fro there, and out again, so that every zoom is
 * drawn on the way. Given as what should happen; each program has its own wheel for it. Pure.
 */
interface Wheel {
  readonly ctrl: boolean
  readonly deltaX: number
  readonly deltaY: number
}
export interface Segment {
  readonly name: string
  readonly wheel: Wheel
  readonly times: number
}

/** What a program zooms by for a wheel with ctrl: sought is the delta of one step. */
export interface ZoomDeltas {
  readonly in: number
  readonly out: number
}

/** A step zooms by 1 / 0.9. */
const ZOOM_STEP = 1 / 0.9
/** src/timeline/wheel.ts: factor 2^(-deltaY / 310). */
const LAB_DELTA = Math.log2(ZOOM_STEP) * 310
export const LAB_ZOOM: ZoomDeltas = { in: -LAB_DELTA, out: LAB_DELTA }
/** speedscope 1.25 shows 1 + deltaY / 40 times as much. */
export const SPEEDSCOPE_ZOOM: ZoomDeltas = { in: -4, out: 40 * (ZOOM_STEP - 1) }

const PAN_PX = 40
const ZOOM_STEPS = 80

export function script(zoom: ZoomDeltas): readonly Segment[] {
  const pan = (name: string, deltaX: number, times: number): Segment => ({
    name,
    wheel: { ctrl: false, deltaX, deltaY: 0 },
    times,
  })
  const zoomBy = (name: string, deltaY: number): Segment => ({
    name,
    wheel: { ctrl: true, deltaX: 0, deltaY },
    times: ZOOM_STEPS,
  })
  return [
    zoomBy('zoom in', zoom.in),
    pan('pan right', PAN_PX, 40),
    pan('pan left', -PAN_PX, 40),
    zoomBy('zoom out', zoom.out),
  ]
}
