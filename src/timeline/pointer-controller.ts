/**
 * What a pointer and a wheel do: gestures.ts says what was meant and where, here it is done. A drag over an area is held here for as
 * long as it goes on; everything else is at once.
 */
import type { GestureTarget } from './gestures'
import { lanesBetween } from './hit-test'
import type { Measuring } from './measuring'
import { shareToTellApart } from './merged'
import type { Moves } from './moves'
import type { Place, Pointing } from './pointing'
import { panView, pxToNs, zoomView } from './scale'
import type { Selection } from './selection'
import type { Stage } from './stage'
import type { Timeline } from './types'

export interface HandsParts {
  readonly stage: Stage
  readonly moves: Moves
  readonly pointing: Pointing
  readonly selection: Selection
  readonly measuring: Measuring
  readonly timeline: Pick<Timeline, 'select' | 'selectArea' | 'zoomTo' | 'pinLane' | 'foldLane'>
}

interface AreaAnchor {
  readonly timeNs: number
  readonly cssY: number
  readonly allLanes: boolean
}

export class PointerController implements GestureTarget {
  readonly #parts: HandsParts
  #anchor: AreaAnchor | null = null

  constructor(parts: HandsParts) {
    this.#parts = parts
  }

  get isSelectingArea(): boolean {
    return this.#anchor !== null
  }

  // --- the view ----------------------------------------------------------------------------------------------------------------

  zoomAt(factor: number, cssX: number): void {
    const { scale, camera } = this.#parts.stage
    const anchorNs = pxToNs(scale, Math.max(scale.leftPx, cssX))
    camera.jump(zoomView(camera.view, factor, anchorNs, camera.extent))
  }

  panBy(cssX: number, cssY: number): void {
    const { stage } = this.#parts
    const { camera } = stage
    if (cssX !== 0) camera.jump(panView(camera.view, -cssX / stage.scale.pxPerNs, camera.extent))
    if (cssY !== 0) stage.scrollTo(stage.scrollPx - cssY)
  }

  scrollBy(cssY: number): boolean {
    const { stage } = this.#parts
    const before = stage.scrollPx
    stage.scrollTo(before + cssY)
    return stage.scrollPx !== before
  }

  isHeader(cssX: number): boolean {
    return cssX < (this.#parts.stage.layout?.headerPx ?? 0)
  }

  isAxis(cssX: number, cssY: number): boolean {
    const { layout } = this.#parts.stage
    return cssY < (layout?.axisPx ?? 0) && cssX >= (layout?.headerPx ?? 0)
  }

  // --- an area -----------------------------------------------------------------------------------------------------------------

  areaFrom(cssX: number, cssY: number): void {
    const { stage, pointing } = this.#parts
    stage.camera.follow(false)
    this.#anchor = {
      timeNs: pointing.snapAt({ cssX, cssY }),
      cssY,
      allLanes: cssY < (stage.layout?.axisPx ?? 0),
    }
  }

  areaTo(cssX: number, cssY: number): void {
    const { stage, pointing, selection } = this.#parts
    const { layout } = stage
    const anchor = this.#anchor
    if (!anchor || !layout) return
    const timeNs = pointing.snapAt({ cssX, cssY })
    selection.dragArea({
      startNs: Math.min(anchor.timeNs, timeNs),
      endNs: Math.max(anchor.timeNs, timeNs),
      lanes: anchor.allLanes
        ? stage.laneIds
        : lanesBetween(layout, stage.contentYPx(anchor.cssY), stage.contentYPx(cssY)),
    })
    stage.requestFrame(false)
  }

  areaEnd(): void {
    this.#anchor = null
    this.#parts.selection.areaEnded()
  }

  // --- pointing and clicking ---------------------------------------------------------------------------------------------------

  hoverAt(cssX: number, cssY: number, willSelectArea: boolean): void {
    this.#parts.pointing.moveTo({ cssX, cssY }, willSelectArea)
  }

  hoverEnd(): void {
    this.#parts.pointing.leave()
  }

  clickAt(cssX: number, cssY: number): void {
    const place = { cssX, cssY }
    if (this.#clickNotes(place) || this.#clickHeader(place)) return
    const { stage, pointing, selection, measuring, timeline } = this.#parts
    const target = pointing.hitAt(place)
    if (!target && selection.area) timeline.selectArea(null)
    timeline.select(target)
    if (measuring.ruler && stage.data) measuring.toPlace(stage.data, pointing.rulerEndAt(place), true)
  }

  doubleClickAt(cssX: number, cssY: number): void {
    const { stage, moves, pointing, timeline } = this.#parts
    const place = { cssX, cssY }
    const target = pointing.hitAt(place)
    const merged = pointing.mergedAt(target, place)
    if (merged) moves.frame(merged, shareToTellApart(merged, stage.scale))
    else if (target && target.type !== 'counter') timeline.zoomTo(target)
  }

  /** On a note's flag. False: there is none. */
  #clickNotes(place: Place): boolean {
    const { stage, moves, pointing } = this.#parts
    const all = stage.data?.placed.trace.annotations ?? []
    const notes = pointing.notesAt(place).flatMap((note) => all[note] ?? [])
    if (notes.length === 0) return false
    moves.showRange({
      startNs: Math.min(...notes.map(({ startNs }) => startNs)),
      endNs: Math.max(...notes.map(({ endNs }) => endNs)),
    })
    return true
  }

  /** On a lane's pin or name. False: nothing there does anything. */
  #clickHeader(place: Place): boolean {
    const { pointing, timeline } = this.#parts
    const header = pointing.headerAt(place)
    const id = header?.lane.lane?.id
    if (!header?.does || id === undefined) return false
    if (header.does === 'pin') timeline.pinLane(id, !header.lane.isPinned)
    else timeline.foldLane(id, header.lane.fold !== 'folded')
    return true
  }
}
