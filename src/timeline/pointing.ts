/**
 * Finds what the pointer is on: a target, a lane's header, an edge in reach. The ruler follows it
 * at once; the target under it is looked up once a frame, after the lanes were moved, whatever
 * moved them: a wheel under a moving pointer, a run that is followed, rows that were folded.
 */
import type { Emitter } from './emitter'
import { headerHit, type HeaderHit } from './header-hit'
import { edgeAt, hitTest, snapToEdge } from './hit-test'
import type { Measuring } from './ruler'
import { mergedAt } from './merged'
import { pxToNs } from './scale'
import type { ViewModel } from './view-model'
import type { Merged, RulerEnd, Target } from './types'

export interface CanvasPoint {
  readonly cssX: number
  readonly cssY: number
}

/** Facts of the canvas that the pointer needs beside its size. */
export interface PointingSurface {
  /** The pointer is on something that a press does something to. */
  readonly showPress: (does: boolean) => void
}

export class Pointing {
  readonly #viewModel: ViewModel
  readonly #measuring: Pick<Measuring, 'ruler' | 'toPlace'>
  readonly #emitter: Pick<Emitter, 'emit'>
  readonly #board: PointingSurface
  #place: CanvasPoint | null = null
  #hasMoved = false
  #hovered: Target | null = null
  #merged: Merged | null = null
  /**
   * Set when listeners must hear of it: the pointer has moved, or something else has come to lie
   * under it.
   */
  #isNews = false
  #snapped: RulerEnd | null = null

  constructor(
    viewModel: ViewModel,
    measuring: Pick<Measuring, 'ruler' | 'toPlace'>,
    emitter: Pick<Emitter, 'emit'>,
    board: PointingSurface,
  ) {
    this.#viewModel = viewModel
    this.#measuring = measuring
    this.#emitter = emitter
    this.#board = board
  }

  /** The target at the last `look`. */
  get hovered(): Target | null {
    return this.#hovered
  }

  /** The edge that a click or drag would take. */
  get snapped(): RulerEnd | null {
    return this.#snapped
  }

  get header(): HeaderHit | null {
    return this.#place && this.headerAt(this.#place)
  }

  /** Null where the pointer is at no time. */
  get timePx(): number | null {
    return this.#place && this.#place.cssX >= this.#viewModel.scale.leftPx ? this.#place.cssX : null
  }

  get lane(): number | undefined {
    return this.#place ? this.#viewModel.laneUnder(this.#place.cssY)?.lane?.id : undefined
  }

  // --- where it is
  // -------------------------------------------------------------------------------------------------------------

  moveTo(place: CanvasPoint, willSelectArea: boolean): void {
    this.#place = place
    this.#hasMoved = true
    this.#rest(willSelectArea)
    this.#viewModel.requestFrame(false)
  }

  leave(): void {
    this.#place = null
    this.#hasMoved = false
    this.#hovered = null
    this.#merged = null
    this.#isNews = false
    this.#emitter.emit('hover', null, null, null)
    this.#rest(false)
    this.#viewModel.requestFrame(false)
  }

  /** Other rows may lie under it. */
  rowsMoved(): void {
    this.#hasMoved = true
    this.#rest(false)
  }

  /** New data: the edge in reach may be another's. */
  forgetEdge(): void {
    this.#snapped = null
  }

  // --- what is under it, once a frame
  // ------------------------------------------------------------------------------------------

  /** After the lanes were painted or found to be as they were. */
  look(lanesWerePainted: boolean): void {
    if (!this.#place || !(this.#hasMoved || lanesWerePainted)) return
    const target = this.hitAt(this.#place)
    const merged = this.mergedAt(target, this.#place)
    this.#isNews ||= this.#hasMoved || !sameTarget(target, this.#hovered) || !sameMerged(merged, this.#merged)
    this.#hovered = target
    this.#merged = merged
    this.#hasMoved = false
  }

  /**
   * Tells of what was seen. Apart from `look`, so that the listeners' time is not counted as the
   * picture's.
   */
  tell(): void {
    if (!this.#isNews) return
    this.#isNews = false
    const place = this.#place
    const { zoom } = this.#viewModel.canvas
    this.#emitter.emit(
      'hover',
      this.#hovered,
      place && { cssX: place.cssX * zoom, cssY: place.cssY * zoom },
      this.#merged,
    )
  }

  // --- what is at a place
  // ------------------------------------------------------------------------------------------------------

  hitAt({ cssX, cssY }: CanvasPoint): Target | null {
    const { shown, scale } = this.#viewModel
    return shown && hitTest(shown.data, shown.layout, scale, cssX, this.#viewModel.contentYPx(cssY))
  }

  mergedAt(target: Target | null, { cssX }: CanvasPoint): Merged | null {
    const { shown, scale, canvas } = this.#viewModel
    return shown && mergedAt(shown.data, shown.layout, scale, canvas.dpr, target, cssX)
  }

  headerAt({ cssX, cssY }: CanvasPoint): HeaderHit | null {
    const { layout } = this.#viewModel
    return layout && headerHit(layout, cssX, this.#viewModel.contentYPx(cssY))
  }

  snapAt({ cssX, cssY }: CanvasPoint): number {
    return this.#viewModel.layout
      ? snapToEdge(this.#viewModel.laneUnder(cssY), this.#viewModel.scale, cssX)
      : 0
  }

  /** The ruler's place for a point: the edge in reach, else the point itself. */
  rulerEndAt({ cssX, cssY }: CanvasPoint): RulerEnd {
    const { scale } = this.#viewModel
    const edge = edgeAt(this.#viewModel.laneUnder(cssY), scale, cssX)
    if (edge) return { type: 'edge', span: edge.span, edge: edge.edge }
    return { type: 'free', timeNs: pxToNs(scale, cssX), toleranceNs: 0.5 / scale.pxPerNs }
  }

  /** The ruler's place at the pointer, else in the middle of the view. */
  rulerEnd(): RulerEnd {
    if (this.#place && this.timePx !== null) return this.rulerEndAt(this.#place)
    const { camera, scale } = this.#viewModel
    const { startNs, endNs } = camera.view
    return { type: 'free', timeNs: (startNs + endNs) / 2, toleranceNs: 0.5 / scale.pxPerNs }
  }

  /** A pointer at rest moves the ruler, lights up an edge in reach, and shows a header's pin. */
  #rest(willSelectArea: boolean): void {
    const place = this.#place
    const { data, layout } = this.#viewModel
    const onLanes =
      place !== null &&
      layout !== null &&
      place.cssX >= layout.headerPx &&
      place.cssY >= layout.bandTopPx + layout.bandPx
    const end = onLanes && (willSelectArea || this.#measuring.ruler) ? this.rulerEndAt(place) : null
    this.#snapped = end?.type === 'edge' ? end : null
    if (end && data && this.#measuring.ruler) this.#measuring.toPlace(data, end, false)
    this.#board.showPress((this.header?.does ?? null) !== null)
  }
}

function sameTarget(a: Target | null, b: Target | null): boolean {
  if (a?.type === 'span') return b?.type === 'span' && a.span === b.span
  if (a?.type === 'gap') return b?.type === 'gap' && a.gap === b.gap
  if (a?.type === 'counter')
    return b?.type === 'counter' && a.counter === b.counter && a.timeNs === b.timeNs && a.value === b.value
  return b === null
}

const sameMerged = (a: Merged | null, b: Merged | null): boolean =>
  a === b ||
  (a !== null &&
    b !== null &&
    a.count === b.count &&
    a.longestSpan === b.longestSpan &&
    a.share === b.share &&
    a.pixelNs === b.pixelNs)
