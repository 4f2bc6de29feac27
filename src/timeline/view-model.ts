/**
 * The ground of every part of the timeline: the data and the layout of their rows, the camera, how
 * far the rows are scrolled, and how to ask for a frame. Knows no DOM: the canvas is its size.
 * Invariants: the layout is that of the data, and the rows are never scrolled past their end.
 * Units: CSS px, host ns.
 */
import { Camera } from './camera'
import type { Emitter } from './emitter'
import { contentYPx } from './frame'
import { laneAt } from './hit-test'
import { makeLayout, type LaneLayout, type Layout } from './layout'
import { makeScale, safeExtent, type Scale } from './scale'
import type { TimelineData, View } from './types'

export interface CanvasSize {
  readonly widthPx: number
  readonly heightPx: number
  readonly dpr: number
  /** CSS px to one of these. */
  readonly zoom: number
}

export interface ViewModelOptions {
  readonly canvas: CanvasSize
  readonly emitter: Pick<Emitter, 'emit'>
  /** `base`: the lanes are to be painted anew, not only what lies over them. */
  readonly requestFrame: (base: boolean) => void
}

export interface Shown {
  readonly data: TimelineData
  readonly layout: Layout
}

export class ViewModel {
  readonly canvas: CanvasSize
  readonly camera: Camera
  readonly requestFrame: (base: boolean) => void
  readonly #options: ViewModelOptions
  #shown: Shown | null = null
  /** Ids of lanes with one row for all; kept for as long as one run is shown. */
  folded: readonly number[] = []
  #scrollPx = 0
  #toldPx = -1

  constructor(options: ViewModelOptions) {
    this.#options = options
    this.canvas = options.canvas
    this.requestFrame = options.requestFrame
    this.camera = new Camera((view, following) => {
      options.emitter.emit('view', view, following)
      options.requestFrame(true)
    })
  }

  /** Null before the first data. */
  get shown(): Shown | null {
    return this.#shown
  }

  get data(): TimelineData | null {
    return this.#shown?.data ?? null
  }

  get layout(): Layout | null {
    return this.#shown?.layout ?? null
  }

  get scrollPx(): number {
    return this.#scrollPx
  }

  get scale(): Scale {
    return makeScale(this.camera.view, this.layout?.headerPx ?? 0, this.canvas.widthPx)
  }

  /** All lanes that have a name, from the top. */
  get laneIds(): readonly number[] {
    return this.layout?.lanes.flatMap(({ lane }) => (lane ? [lane.id] : [])) ?? []
  }

  laneName(lane: number): string {
    return this.data?.placed.trace.lanes[lane]?.name ?? ''
  }

  show(data: TimelineData): void {
    this.#lay(data)
    const { startOfAllNs, endOfAllNs } = data.placed
    this.camera.setExtent(safeExtent(startOfAllNs, Math.max(endOfAllNs, data.live ? data.nowNs : -Infinity)))
  }

  /** The canvas has another size, or lanes were folded. */
  relayout(): void {
    if (this.data) this.#lay(this.data)
  }

  /** After a key or a button: in a short motion. */
  glide(view: View): void {
    this.camera.glide(view, performance.now())
    this.requestFrame(true)
  }

  scrollTo(px: number): void {
    const most = Math.max(0, (this.layout?.heightPx ?? 0) - this.canvas.heightPx)
    const next = Math.min(Math.max(0, px), most)
    if (next === this.#scrollPx) return
    this.#scrollPx = next
    this.requestFrame(true)
  }

  /** A place of the canvas among the rows. */
  contentYPx(cssY: number): number {
    return this.layout ? contentYPx(this.layout, this.#scrollPx, cssY) : cssY
  }

  laneUnder(cssY: number): LaneLayout | null {
    return this.layout && laneAt(this.layout, this.contentYPx(cssY))
  }

  #lay(data: TimelineData): void {
    const { canvas, emitter } = this.#options
    const layout = makeLayout(data.placed, data.gaps, {
      widthPx: canvas.widthPx,
      folded: this.folded,
    })
    this.#shown = { data, layout }
    const cssPx = layout.heightPx * canvas.zoom
    if (cssPx !== this.#toldPx) emitter.emit('layout', cssPx)
    this.#toldPx = cssPx
    this.scrollTo(this.#scrollPx)
  }
}
