/**
 * The timeline itself: the surface of types.ts, put together from its parts, and what new data mean
 * to each of them. The parts share the view model (data, layout, camera, frame requests) and know
 * of each other only what their constructors name; all thinking is in the pure files beside them.
 *
 *     gestures ─> pointers ─┐                                       ┌─> view model ─> frames ─> renderer
 *     keys ─> commands ─────┼─> moves, stepping, pointing, …commands ┤
 *     surface ──────────────┘                                       └─> selection, highlights
 */
import type { DrawnPath } from '../analysis/types'
import { runCommand, type CommandParts, attachKeys } from './commands'
import { Emitter } from './emitter'
import { startFolded } from './fold'
import { attachGestures } from './gestures'
import { PointerController } from './pointer-controller'
import { Highlights } from './highlights'
import { lodOf } from './lod/trace-lod'
import { Moves } from './moves'
import { Pointing } from './pointing'
import { Renderer } from './renderer'
import { Selection } from './selection'
import { ViewModel } from './view-model'
import { nextTarget, type Step } from './stepping'
import type { AreaSelection, CommandName, Target, Timeline, TimelineData, View, Direction } from './types'
import type { Layout } from './layout'
import type { Overlay } from './paint-overlay'
import { timeTicks } from './ticks'
import { laneOfTarget } from './navigate'

/**
 * Folding lanes: by id, or the one that is meant. What was done is said in words, for
 * the live region.
 */

interface LaneParts {
  readonly viewModel: ViewModel
  readonly moves: Pick<Moves, 'revealRow'>
  readonly selection: Pick<Selection, 'target'>
  readonly pointing: Pick<Pointing, 'lane' | 'rowsMoved'>
  readonly emitter: Pick<Emitter, 'emit'>
}

/** @internal */
export function foldLane(
  { viewModel, moves, selection, pointing, emitter }: LaneParts,
  lane: number,
  on: boolean,
): void {
  const others = viewModel.folded.filter((each) => each !== lane)
  viewModel.folded = on ? [...others, lane] : others
  viewModel.relayout()
  // Rows were moved: what is selected stays in sight, and under the pointer is another lane.
  if (selection.target) moves.revealRow(selection.target)
  pointing.rowsMoved()
  viewModel.requestFrame(true)
  emitter.emit('lanes', `${viewModel.laneName(lane)} ${on ? 'folded into one row' : 'unfolded'}`)
}

/** The selection's lane, else the one under the pointer. @internal */
export function toggleFold(parts: LaneParts): void {
  const { viewModel, selection, pointing, emitter } = parts
  const { data, layout } = viewModel
  const id = data && selection.target ? laneOfTarget(data, selection.target) : pointing.lane
  const lane = layout?.lanes.find((each) => each.lane?.id === id)
  if (id === undefined || !lane) emitter.emit('lanes', 'Select a bar first: its lane is the one meant.')
  else if (lane.fold === 'none') emitter.emit('lanes', `${viewModel.laneName(id)} has nothing to fold`)
  else foldLane(parts, id, lane.fold !== 'folded')
}

/**
 * When the picture is painted, and of what: at most once an animation frame, from what the parts
 * hold at that moment. The camera moves on first, then the lanes are painted, then it is looked for
 * what is under the pointer, so that a frame does each once.
 */

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

const runKey = ({ trace: { info } }: TimelineData['placed']): string =>
  `${info.experiment} ${info.startedAt} ${info.origin}`

export class TimelineController implements Timeline {
  readonly #emitter = new Emitter()
  readonly #selection = new Selection(this.#emitter)
  readonly #renderer: Renderer
  readonly #viewModel: ViewModel
  readonly #moves: Moves
  readonly #highlights: Highlights
  readonly #commandParts: CommandParts
  readonly #frames: Frames
  readonly #detachGestures: () => void
  readonly #detachKeys: () => void

  constructor(container: HTMLElement) {
    if (!container.hasAttribute('tabindex')) container.tabIndex = 0
    const renderer = new Renderer(container, {
      resized: () => this.#frames.resized(),
      themeChanged: () => this.#readTheme(this.#viewModel.data),
    })
    const viewModel = new ViewModel({
      canvas: renderer.surface,
      emitter: this.#emitter,
      requestFrame: (base) => this.#frames.request(base),
    })
    viewModel.camera.reducedMotion = renderer.theme.reducedMotion

    // Shared by several parts; each takes of it what its interface names.
    const shared = {
      timeline: this,
      viewModel,
      renderer,
      emitter: this.#emitter,
      selection: this.#selection,
    }
    const moves = new Moves(viewModel, this.#selection)
    const pointing = new Pointing(viewModel, this.#emitter, (does) =>
      container.toggleAttribute('data-press', does),
    )
    const highlights = new Highlights({ ...shared, moves })
    const laneParts = { ...shared, moves, pointing }
    const pointers = new PointerController({
      ...laneParts,
      foldLane: (lane, on) => foldLane(laneParts, lane, on),
    })
    this.#renderer = renderer
    this.#viewModel = viewModel
    this.#moves = moves
    this.#highlights = highlights
    this.#frames = new Frames({ ...shared, pointing, highlights })
    this.#detachGestures = attachGestures(container, pointers, pointing, () => renderer.surface.zoom)
    this.#commandParts = { ...laneParts, toggleFold: () => toggleFold(laneParts) }
    this.#detachKeys = attachKeys(container, this.#commandParts)
  }

  // --- data
  // --------------------------------------------------------------------------------------------------------------------

  setData(data: TimelineData): void {
    const before = this.#viewModel.data
    const { camera } = this.#viewModel
    const isNewRun = !before || runKey(before.placed) !== runKey(data.placed)
    const wasFollowing = camera.following
    if (isNewRun) this.#startOver(data)
    this.#viewModel.show(data)
    if (before && !isNewRun) this.#selection.carryOver(data)
    this.#highlights.renew(before, data)
    if (isNewRun) camera.reset(this.#moves.startView(data), data.live)
    // A followed run has ended: show one round of it, which is what its prose talks about.
    else if (before.live && !data.live && wasFollowing) this.#moves.fitRound()
    this.#viewModel.requestFrame(true)
  }

  // --- view
  // --------------------------------------------------------------------------------------------------------------------

  getView(): View {
    return this.#viewModel.camera.view
  }

  run(command: CommandName, way?: Direction): void {
    runCommand(this.#commandParts, command, way)
  }

  zoomTo(target: Target | AreaSelection): void {
    this.#moves.zoomTo(target)
  }

  // --- selection
  // ---------------------------------------------------------------------------------------------------------------

  select(target: Target | null): void {
    this.#selection.select(target, this.#viewModel.data)
    this.#highlights.tellRank()
    this.#viewModel.requestFrame(false)
  }

  selectArea(area: AreaSelection | null): void {
    this.#selection.selectArea(area)
    this.#viewModel.requestFrame(false)
  }

  step(what: Step, direction: Direction): void {
    const { shown, camera } = this.#viewModel
    if (!shown) return
    if (what === 'found') this.#highlights.findNow()
    const from = {
      ...shown,
      target: this.#selection.target,
      view: camera.view,
      found: this.#highlights.found,
    }
    const next = nextTarget(from, what, direction)
    if (!next) return
    this.select(next)
    this.#moves.reveal(next)
  }

  // --- lanes, what is marked
  // ----------------------------------------------------------------------------------------

  search(query: string): void {
    this.#highlights.search(query)
  }

  showPath(path: DrawnPath | null): void {
    this.#highlights.showPath(path)
  }

  // --- the rest
  // ----------------------------------------------------------------------------------------------------------------

  on: Timeline['on'] = (name, listener) => this.#emitter.on(name, listener)

  dispose(): void {
    this.#frames.stop()
    this.#highlights.stop()
    this.#detachKeys()
    this.#detachGestures()
    this.#emitter.clear()
    this.#renderer.dispose()
  }

  /** Another run: nothing of what was done to the one before it holds. */
  #startOver(data: TimelineData): void {
    this.#viewModel.folded = startFolded(data.placed, lodOf(data.placed))
    this.#emitter.emit('lanes', '')
    this.#viewModel.scrollTo(0)
    this.#selection.clear()
    this.#readTheme(data)
  }

  #readTheme(data: TimelineData | null): void {
    this.#renderer.refreshTheme(data?.placed ?? null)
    this.#viewModel.camera.reducedMotion = this.#renderer.theme.reducedMotion
    this.#viewModel.requestFrame(true)
  }
}
