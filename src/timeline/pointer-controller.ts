/**
 * Carries out what a pointer and a wheel ask for; gestures.ts says what was meant and where. A drag
 * over an area is held here for as long as it goes on; everything else is at once.
 */
import { lanesBetween } from './hit-test'
import type { CanvasPoint, Pointing } from './pointing'
import { panView, pxToNs, zoomView } from './scale'
import type { Selection } from './selection'
import type { ViewModel } from './view-model'
import type { Timeline } from './types'

export interface PointerControllerParts {
  readonly viewModel: ViewModel
  readonly pointing: Pointing
  readonly selection: Selection
  readonly timeline: Pick<Timeline, 'select' | 'selectArea' | 'zoomTo'>
  readonly foldLane: (lane: number, on: boolean) => void
}

export class PointerController {
  readonly #parts: PointerControllerParts
  #anchor: { readonly timeNs: number; readonly cssY: number; readonly allLanes: boolean } | null = null

  constructor(parts: PointerControllerParts) {
    this.#parts = parts
  }

  // --- the view
  // ----------------------------------------------------------------------------------------------------------------

  /** factor > 1 zooms in at a place. */
  zoomAt(factor: number, cssX: number): void {
    const { scale, camera } = this.#parts.viewModel
    const anchorNs = pxToNs(scale, Math.max(scale.leftPx, cssX))
    camera.jump(zoomView(camera.view, factor, anchorNs, camera.extent))
  }

  /** Moves the picture with the hand; positive to the right and down. */
  panBy(cssX: number, cssY: number): void {
    const { viewModel } = this.#parts
    const { camera } = viewModel
    if (cssX !== 0) camera.jump(panView(camera.view, -cssX / viewModel.scale.pxPerNs, camera.extent))
    if (cssY !== 0) viewModel.scrollTo(viewModel.scrollPx - cssY)
  }

  /** False where the rows are at their end, or all in sight: then the page scrolls. */
  scrollBy(cssY: number): boolean {
    const { viewModel } = this.#parts
    const before = viewModel.scrollPx
    viewModel.scrollTo(before + cssY)
    return viewModel.scrollPx !== before
  }

  /** A plain wheel over the lanes' names scrolls the rows. */
  isHeader(cssX: number): boolean {
    return cssX < (this.#parts.viewModel.layout?.headerPx ?? 0)
  }

  /** Dragging here selects an area without Shift. */
  isAxis({ cssX, cssY }: CanvasPoint): boolean {
    const { layout } = this.#parts.viewModel
    return cssY < (layout?.axisPx ?? 0) && cssX >= (layout?.headerPx ?? 0)
  }

  // --- an area
  // -----------------------------------------------------------------------------------------------------------------

  areaFrom(place: CanvasPoint): void {
    const { viewModel, pointing } = this.#parts
    viewModel.camera.follow(false)
    this.#anchor = {
      timeNs: pointing.snapAt(place),
      cssY: place.cssY,
      allLanes: place.cssY < (viewModel.layout?.axisPx ?? 0),
    }
    pointing.leave()
  }

  areaTo(place: CanvasPoint): void {
    const { viewModel, pointing, selection } = this.#parts
    const { layout } = viewModel
    const anchor = this.#anchor
    if (!anchor || !layout) return
    const timeNs = pointing.snapAt(place)
    selection.dragArea({
      startNs: Math.min(anchor.timeNs, timeNs),
      endNs: Math.max(anchor.timeNs, timeNs),
      lanes: anchor.allLanes
        ? viewModel.laneIds
        : lanesBetween(layout, viewModel.contentYPx(anchor.cssY), viewModel.contentYPx(place.cssY)),
    })
    viewModel.requestFrame(false)
  }

  areaEnd(): void {
    this.#anchor = null
    this.#parts.selection.areaEnded()
  }

  // --- clicking
  // ---------------------------------------------------------------------------------------------------

  clickAt(place: CanvasPoint): void {
    const { pointing, selection, timeline, foldLane } = this.#parts
    const header = pointing.foldedAt(place)
    if (header?.lane) {
      foldLane(header.lane.id, header.fold !== 'folded')
      return
    }
    const target = pointing.hitAt(place)
    if (!target && selection.area) timeline.selectArea(null)
    timeline.select(target)
  }

  doubleClickAt(place: CanvasPoint): void {
    const { pointing, timeline } = this.#parts
    const target = pointing.hitAt(place)
    if (target && target.type !== 'counter') timeline.zoomTo(target)
  }
}
