/**
 * Finds what the pointer is on: a target, a lane's name. The target under it is looked up once a
 * frame, after the lanes were moved, whatever moved them: a wheel under a moving pointer, a run
 * that is followed, rows that were folded.
 */
import type { Emitter } from './emitter'
import { hitTest, snapToEdge, foldedBy, mergedAt } from './hit-test'
import type { LaneLayout } from './layout'
import type { ViewModel } from './view-model'
import type { Target } from './types'

export interface CanvasPoint {
  readonly cssX: number
  readonly cssY: number
}

export class Pointing {
  readonly #viewModel: ViewModel
  readonly #emitter: Pick<Emitter, 'emit'>
  /** Told whether a press here would do something to what is under the pointer. */
  readonly #showPress: (does: boolean) => void
  #place: CanvasPoint | null = null
  #hasMoved = false
  #hovered: Target | null = null
  #merged = 1
  /**
   * Set when listeners must hear of it: the pointer has moved, or something else has come to lie
   * under it.
   */
  #isNews = false

  constructor(viewModel: ViewModel, emitter: Pick<Emitter, 'emit'>, showPress: (does: boolean) => void) {
    this.#viewModel = viewModel
    this.#emitter = emitter
    this.#showPress = showPress
  }

  /** The target at the last `look`. */
  get hovered(): Target | null {
    return this.#hovered
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

  moveTo(place: CanvasPoint): void {
    this.#place = place
    this.rowsMoved()
    this.#viewModel.requestFrame(false)
  }

  leave(): void {
    this.#place = null
    this.#hasMoved = false
    this.#hovered = null
    this.#merged = 1
    this.#isNews = false
    this.#emitter.emit('hover', null, null, 1)
    this.#showPress(false)
    this.#viewModel.requestFrame(false)
  }

  /** Other rows may lie under it. */
  rowsMoved(): void {
    this.#hasMoved = true
    this.#showPress(this.#place !== null && this.foldedAt(this.#place) !== null)
  }

  // --- what is under it, once a frame
  // ------------------------------------------------------------------------------------------

  /** After the lanes were painted or found to be as they were. */
  look(lanesWerePainted: boolean): void {
    if (!this.#place || !(this.#hasMoved || lanesWerePainted)) return
    const { shown, scale, canvas } = this.#viewModel
    const target = this.hitAt(this.#place)
    const merged = shown ? mergedAt(shown.data, shown.layout, scale, canvas.dpr, target, this.#place.cssX) : 1
    this.#isNews ||= this.#hasMoved || !sameTarget(target, this.#hovered) || merged !== this.#merged
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

  /** The lane that a press here folds or unfolds. */
  foldedAt({ cssX, cssY }: CanvasPoint): LaneLayout | null {
    const { layout } = this.#viewModel
    return layout && foldedBy(layout, cssX, this.#viewModel.contentYPx(cssY))
  }

  snapAt({ cssX, cssY }: CanvasPoint): number {
    return this.#viewModel.layout
      ? snapToEdge(this.#viewModel.laneUnder(cssY), this.#viewModel.scale, cssX)
      : 0
  }
}

const sameTarget = (a: Target | null, b: Target | null): boolean => JSON.stringify(a) === JSON.stringify(b)
