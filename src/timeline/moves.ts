/**
 * Computes the view that a key, a button or a step asks for: the whole run, one round, a target, a
 * little to the side. Always in motion.
 */
import { lastRound } from './lod/bands'
import { followTarget } from './camera'
import { fixedTopPx } from './frame'
import { targetRange, targetBox } from './navigate'
import { fitView, frameView, padView, panView, revealView, viewWidthNs, zoomView } from './scale'
import type { Selection } from './selection'
import type { ViewModel } from './view-model'
import type { AreaSelection, Range, Target, TimelineData, View } from './types'

/** A gap narrower than this is zoomed to when stepped to: a learner should see what was found. */
const TOO_NARROW_PX = 24
/**
 * Shares of the view's width: a target of a step keeps its neighbours in view, a named one takes
 * most of it.
 */
const SHOWN_SHARE = 0.3
const WHOLE_SHARE = 0.8
const UNDER_ROW_PX = 8

export class Moves {
  readonly #viewModel: ViewModel
  readonly #selection: Pick<Selection, 'target'>

  constructor(viewModel: ViewModel, selection: Pick<Selection, 'target'>) {
    this.#viewModel = viewModel
    this.#selection = selection
  }

  fit(): void {
    this.#viewModel.glide(fitView(this.#viewModel.camera.extent))
  }

  fitRound(): void {
    this.#viewModel.glide(this.#roundView())
  }

  /** The first view of a new run. */
  startView(data: TimelineData): View {
    return data.live ? followTarget(this.#viewModel.camera.extent.startNs, data.nowNs) : this.#roundView()
  }

  zoomTo(target: Target | AreaSelection): void {
    const range = this.#viewModel.data && targetRange(this.#viewModel.data, target)
    if (range) this.#frame(range, WHOLE_SHARE)
  }

  #frame({ startNs, endNs }: Range, share: number): void {
    this.#viewModel.glide(frameView(startNs, endNs, share, this.#viewModel.camera.extent))
  }

  /** Round the selection where it is in view, else round the middle. */
  zoomBy(factor: number): void {
    const { aim, extent } = this.#viewModel.camera
    this.#viewModel.glide(zoomView(aim, factor, this.#anchorNs(), extent))
  }

  panBy(share: number): void {
    const { aim, extent } = this.#viewModel.camera
    this.#viewModel.glide(panView(aim, share * viewWidthNs(aim), extent))
  }

  /** To a first place of several, where none of them is seen. */
  showAny(ranges: readonly Range[]): void {
    const { startNs, endNs } = this.#viewModel.camera.aim
    const isSeen = ranges.some((range) => range.startNs <= endNs && range.endNs >= startNs)
    const [first] = ranges
    if (!isSeen && first) this.#frame(first, WHOLE_SHARE)
  }

  /** No further than needed. */
  reveal(target: Target): void {
    const { data, camera, canvas, layout } = this.#viewModel
    const range = data && targetRange(data, target)
    if (!range) return
    const pxPerNs = Math.max(1, canvas.widthPx - (layout?.headerPx ?? 0)) / viewWidthNs(camera.aim)
    if (target.type === 'gap' && (range.endNs - range.startNs) * pxPerNs < TOO_NARROW_PX)
      this.#frame(range, SHOWN_SHARE)
    else this.#viewModel.glide(revealView(camera.aim, range.startNs, range.endNs, camera.extent))
    this.revealRow(target)
  }

  revealRow(target: Target): void {
    const { shown, scale, scrollPx, canvas } = this.#viewModel
    const box = shown && targetBox(shown.data, shown.layout, scale, target)
    const fixed = shown ? fixedTopPx(shown.layout) : 0
    if (!box || box.topPx < fixed) return
    if (box.topPx - scrollPx < fixed) this.#viewModel.scrollTo(box.topPx - fixed)
    const bottomPx = box.topPx + box.heightPx
    if (bottomPx - this.#viewModel.scrollPx > canvas.heightPx)
      this.#viewModel.scrollTo(bottomPx + UNDER_ROW_PX - canvas.heightPx)
  }

  #roundView(): View {
    const round = lastRound(this.#viewModel.layout?.bands ?? [])
    return round ? padView(round) : fitView(this.#viewModel.camera.extent)
  }

  #anchorNs(): number {
    const { data, camera } = this.#viewModel
    const { target } = this.#selection
    const { startNs, endNs } = camera.aim
    const range = data && target && targetRange(data, target)
    const middle = range ? (range.startNs + range.endNs) / 2 : NaN
    return middle >= startNs && middle <= endNs ? middle : (startNs + endNs) / 2
  }
}
