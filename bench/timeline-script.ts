/**
 * The scripted pan and zoom: over the whole, in by a factor of some thousands, to and fro there, and out again, so that every zoom is
 * drawn on the way.
 */
interface Segment {
  readonly name: string
  readonly wheel: { readonly ctrl: boolean; readonly deltaX: number; readonly deltaY: number }
  readonly times: number
}

/** A step zooms by 1 / 0.9. src/timeline/wheel.ts: factor 2^(-deltaY / 310). */
const ZOOM_DELTA = Math.log2(1 / 0.9) * 310
const PAN_PX = 40

const pan = (name: string, deltaX: number): Segment => ({
  name,
  wheel: { ctrl: false, deltaX, deltaY: 0 },
  times: 40,
})
const zoom = (name: string, deltaY: number): Segment => ({
  name,
  wheel: { ctrl: true, deltaX: 0, deltaY },
  times: 80,
})

export const SCRIPT: readonly Segment[] = [
  zoom('zoom in', -ZOOM_DELTA),
  pan('pan right', PAN_PX),
  pan('pan left', -PAN_PX),
  zoom('zoom out', ZOOM_DELTA),
]
