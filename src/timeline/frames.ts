/**
 * When the picture is painted, and of what: at most once an animation frame, from what the parts
 * hold at that moment. The camera moves on first, then the lanes are painted, then it is looked for
 * what is under the pointer, so that a frame does each once.
 */
import type { Highlights } from './highlights'
import type { Layout } from './layout'
import type { Overlay } from './paint-overlay'
import type { Pointing } from './pointing'
import type { Renderer } from './renderer'
import type { Selection } from './selection'
import type { ViewModel } from './view-model'
import { timeTicks } from './ticks'

export interface FrameParts {
  readonly viewModel: ViewModel
  readonly selection: Pick<Selection, 'target' | 'area'>
  readonly pointing: Pick<Pointing, 'hovered' | 'look' | 'tell' | 'timePx'>
  readonly highlights: Pick<Highlights, 'found' | 'path'>
  readonly renderer: Pick<Renderer, 'invalidate' | 'isBlurred' | 'measure' | 'paint'>
}

export class Frames {
  readonly #parts: FrameParts
  #request = 0
  /** For which the canvases were last measured. */
  #fitted: Layout | null = null

  constructor(parts: FrameParts) {
    this.#parts = parts
  }

  /** `base`: the lanes too, not only what lies over them. */
  request(base: boolean): void {
    if (base) this.#parts.renderer.invalidate()
    if (this.#request !== 0) return
    this.#request = requestAnimationFrame((nowMs) => {
      this.#request = 0
      this.#paint(nowMs)
    })
  }

  resized(): void {
    if (!this.#fit()) return
    // The canvases are blank: paint before the browser shows them.
    this.#paint(performance.now())
  }

  stop(): void {
    cancelAnimationFrame(this.#request)
  }

  /** True where the canvases had to be made anew. */
  #fit(): boolean {
    const { viewModel, renderer } = this.#parts
    const isNew = renderer.measure(viewModel.data?.placed ?? null)
    if (isNew) viewModel.relayout()
    this.#fitted = viewModel.layout
    return isNew
  }

  #paint(nowMs: number): void {
    const { viewModel, renderer, pointing, selection, highlights } = this.#parts
    // More rows make the element higher: asked for here they are painted once, and not again when
    // an observer tells. Should every observer have missed it, a window dragged to another screen
    // must not stay blurred.
    if (renderer.isBlurred || viewModel.layout !== this.#fitted) this.#fit()
    const { shown, camera, canvas } = viewModel
    if (!shown || canvas.widthPx === 0 || canvas.heightPx === 0) return
    const moving = camera.advance(nowMs, shown.data.live ? shown.data.nowNs : null)
    const { scale, scrollPx } = viewModel
    const { found, path } = highlights
    const ticks = timeTicks(camera.view, scale.rightPx - scale.leftPx)
    renderer.paint({ ...shown, scale, scrollPx, ticks, found, path }, (lanesWerePainted): Overlay => {
      pointing.look(lanesWerePainted)
      const { target: selected, area } = selection
      return { hovered: pointing.hovered, selected, area, pointerPx: pointing.timePx }
    })
    pointing.tell()
    if (moving) this.request(true)
  }
}
