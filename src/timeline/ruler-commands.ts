/**
 * How time is measured and summed: the ruler's mark and end by key or button, and the area that a
 * ruler, a selection or a view makes.
 */
import { targetRange } from './navigate'
import type { Pointing } from './pointing'
import type { Selection } from './selection'
import type { ViewModel } from './view-model'
import type { Timeline } from './types'
import { type Measuring } from './ruler'

export interface RulerParts {
  readonly viewModel: ViewModel
  readonly measuring: Measuring
  readonly selection: Pick<Selection, 'target' | 'area'>
  readonly pointing: Pick<Pointing, 'rulerEnd'>
  readonly timeline: Pick<Timeline, 'selectArea'>
}

export class RulerCommands {
  readonly #parts: RulerParts

  constructor(parts: RulerParts) {
    this.#parts = parts
  }

  /**
   * On the selection (its begin, then its end), or where the pointer is, else in the middle of the
   * view.
   */
  mark(where: 'selection' | 'pointer'): void {
    const { viewModel, measuring, selection, pointing } = this.#parts
    if (!viewModel.data) return
    if (where === 'selection' && selection.target) measuring.markTarget(viewModel.data, selection.target)
    else measuring.markAt(viewModel.data, pointing.rulerEnd())
    viewModel.requestFrame(false)
  }

  measureTo(edge: 'start' | 'end'): void {
    const { viewModel, measuring, selection } = this.#parts
    if (viewModel.data && selection.target) measuring.toTarget(viewModel.data, selection.target, edge)
    viewModel.requestFrame(false)
  }

  /** The ruler becomes an area, which is summed. */
  sum(): void {
    const { viewModel, measuring, timeline } = this.#parts
    const area = viewModel.data && measuring.area(viewModel.data, viewModel.laneIds)
    if (!area) return
    measuring.clear()
    timeline.selectArea(area)
  }

  clear(): void {
    this.#parts.measuring.clear()
    this.#parts.viewModel.requestFrame(false)
  }

  /** The time of the selection, else of the view, over all lanes; pressed again it goes away. */
  toggleArea(): void {
    const { viewModel, selection, timeline } = this.#parts
    const { data, camera, laneIds } = viewModel
    if (!data) return
    const { startNs, endNs } = (selection.target && targetRange(data, selection.target)) ?? camera.view
    const isSame = selection.area?.startNs === startNs && selection.area.endNs === endNs
    timeline.selectArea(isSame ? null : { startNs, endNs, lanes: laneIds })
  }
}
