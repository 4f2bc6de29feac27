/**
 * The timeline itself: holds the data, the view and the selection, turns gestures and keys into the next view, and paints at most
 * once an animation frame. All thinking is in the pure files beside this one; here they meet the DOM.
 */
import type { DrawnPath } from '../analysis/types'
import { lastRound } from '../trace/bands'
import { Camera } from './camera'
import { Emitter } from './emitter'
import { followTarget } from './follow'
import { targetBox } from './geometry'
import { attachGestures } from './gestures'
import { headerHit, type HeaderHit } from './header-hit'
import { edgeAt, hitTest, laneAt, lanesBetween, snapToEdge } from './hit-test'
import { keyAction, type Action } from './keys'
import { LaneStates } from './lane-states'
import { makeLayout, type LaneLayout, type Layout } from './layout'
import { stepFlow } from './links'
import { Measuring } from './measuring'
import { mergedAt, shareToTellApart } from './merged'
import { laneOfTarget, stepGap, stepLane, stepSpan, targetRange } from './navigate'
import { contentYPx, fixedTopPx } from './frame'
import { flagAt, type NoteFlag } from './notes'
import { toPng, toSvg, type PictureInput } from './export-picture'
import type { Overlay } from './paint-overlay'
import { makePathLine, type PathLine } from './path-line'
import { Renderer, type Scene } from './renderer'
import { nextFound, rankOf, type Found } from './search'
import { Searcher } from './searcher'
import { Selection } from './selection'
import {
  fitView,
  frameView,
  makeScale,
  padView,
  panView,
  pxToNs,
  revealView,
  safeExtent,
  viewWidthNs,
  zoomView,
  type Scale,
} from './scale'
import { timeTicks } from './ticks'
import type {
  AreaSelection,
  Merged,
  PictureRequest,
  RulerEnd,
  SvgPicture,
  Target,
  Timeline,
  TimelineData,
  TimelineOptions,
  View,
} from './types'

/** A gap or span narrower than this is zoomed to when stepped to: a learner should see what was found. */
const TOO_NARROW_PX = 24
const SHOWN_SHARE = 0.3
/** Pinned lanes leave this share of the canvas to those that scroll. */
const SCROLLING_SHARE = 0.4

const runKey = ({ trace: { info } }: TimelineData['placed']): string =>
  `${info.experiment} ${info.startedAt} ${info.origin}`

export class TimelineController implements Timeline {
  readonly #compact: boolean
  readonly #container: HTMLElement
  readonly #emitter = new Emitter()
  readonly #renderer: Renderer
  readonly #selection = new Selection(this.#emitter)
  readonly #measuring = new Measuring(this.#emitter)
  readonly #laneStates = new LaneStates()
  readonly #aborter = new AbortController()
  readonly #camera = new Camera((view, following) => {
    this.#emitter.emit('view', view, following)
    this.#requestFrame(true)
  })
  readonly #detachGestures: () => void
  #data: TimelineData | null = null
  #layout: Layout | null = null
  #hovered: Target | null = null
  #areaAnchor: { readonly timeNs: number; readonly cssY: number; readonly allLanes: boolean } | null = null
  #pointer: { readonly cssX: number; readonly cssY: number } | null = null
  #snapped: RulerEnd | null = null
  #notesAt: readonly number[] = []
  #scrollPx = 0
  #frameRequest = 0

  readonly #searcher = new Searcher((found) => {
    this.#onFound(found)
  })
  #isChainWhole = false
  #path: PathLine | null = null

  constructor(container: HTMLElement, options: TimelineOptions = {}) {
    this.#compact = options.compact ?? false
    this.#container = container
    if (!container.hasAttribute('tabindex')) container.tabIndex = 0
    this.#renderer = new Renderer(container, {
      resized: () => {
        this.#onResized()
      },
      themeChanged: () => {
        this.refreshTheme()
      },
    })
    this.#camera.reducedMotion = this.#renderer.reducedMotion
    this.#detachGestures = attachGestures(container, this.#gestures())
    container.addEventListener(
      'keydown',
      (event) => {
        if (event.target !== container) return
        const action = keyAction(event)
        if (!action) return
        event.preventDefault()
        this.#act(action)
      },
      { signal: this.#aborter.signal },
    )
  }

  // --- the surface of types.ts -------------------------------------------------------------------------------------------------

  setData(data: TimelineData): void {
    const before = this.#data
    const isNewRun = !before || runKey(before.placed) !== runKey(data.placed)
    this.#data = data
    const { startOfAllNs, endOfAllNs } = data.placed
    const wasFollowing = this.#camera.following
    if (isNewRun) this.#startOver(data)
    this.#relayout()
    this.#camera.setExtent(safeExtent(startOfAllNs, Math.max(endOfAllNs, data.live ? data.nowNs : -Infinity)))
    if (before && !isNewRun) {
      this.#selection.carryOver(before, data)
      this.#measuring.carryOver(data, data.placed.omittedSpans - before.placed.omittedSpans)
    }
    this.#snapped = null
    this.#searcher.renew(data.placed)
    if (this.#path && before?.placed.lanes !== data.placed.lanes) this.showPath(null)
    if (isNewRun) this.#camera.reset(this.#startView(data), data.live)
    // A followed run has ended: show one round of it, which is what its prose talks about.
    else if (before.live && !data.live && wasFollowing) this.#glide(this.#roundView())
    this.#requestFrame(true)
  }

  setView(view: View): void {
    this.#camera.jump(view)
  }

  getView(): View {
    return this.#camera.view
  }

  fit(): void {
    this.#glide(fitView(this.#camera.extent))
  }

  fitRound(): void {
    this.#glide(this.#roundView())
  }

  zoomTo(target: Target | AreaSelection): void {
    const range = this.#data && targetRange(this.#data, target)
    if (!range) return
    this.#glide(frameView(range.startNs, range.endNs, 0.8, this.#camera.extent))
  }

  zoomBy(factor: number): void {
    this.#glide(zoomView(this.#camera.aim, factor, this.#anchorNs(), this.#camera.extent))
  }

  setFollowing(following: boolean): void {
    if (following && !this.#data?.live) {
      this.fit()
      return
    }
    this.#camera.follow(following)
    this.#requestFrame(true)
  }

  select(target: Target | null): void {
    this.#selection.select(target, this.#data)
    if (target && this.#data) this.#measuring.toTarget(this.#data, target, 'start')
    this.#emitSearch()
    this.#requestFrame(false)
  }

  selectArea(area: AreaSelection | null): void {
    this.#selection.selectArea(area)
    this.#requestFrame(false)
  }

  step(what: Parameters<Timeline['step']>[0], direction: 1 | -1): void {
    if (!this.#data || !this.#layout) return
    const step =
      what === 'gap'
        ? stepGap(this.#data, this.#selection.target, this.#camera.view, direction)
        : what === 'found'
          ? this.#stepFound(direction)
          : what === 'flow'
            ? this.#stepFlow(direction)
            : this.#stepSpans(what, direction)
    if (!step) return
    this.select(step)
    this.#reveal(step)
  }

  mark(where: 'selection' | 'pointer'): void {
    if (!this.#data) return
    const { target } = this.#selection
    if (where === 'selection' && target) this.#measuring.markTarget(this.#data, target)
    else this.#measuring.markAt(this.#data, this.#rulerEndAtPointer())
    this.#requestFrame(false)
  }

  sumRuler(): void {
    if (!this.#data || !this.#layout) return
    const lanes = this.#layout.lanes.flatMap(({ lane }) => (lane ? [lane.id] : []))
    const area = this.#measuring.area(this.#data, lanes)
    if (!area) return
    this.#measuring.clear()
    this.selectArea(area)
  }

  clearRuler(): void {
    this.#measuring.clear()
    this.#requestFrame(false)
  }

  focus(): void {
    this.#container.focus()
  }

  pinLane(lane: number, on: boolean): void {
    this.#laneStates.pin(lane, on)
    this.#lanesChanged(`${this.#laneName(lane)} ${on ? 'pinned on top' : 'unpinned'}`)
  }

  foldLane(lane: number, on: boolean): void {
    this.#laneStates.fold(lane, on)
    this.#lanesChanged(`${this.#laneName(lane)} ${on ? 'folded into one row' : 'unfolded'}`)
  }

  search(query: string): void {
    this.#searcher.search(query, this.#data?.placed ?? null)
  }

  setWholeChain(isWhole: boolean): void {
    this.#isChainWhole = isWhole
    this.#emitter.emit('chain', isWhole)
    this.#requestFrame(false)
  }

  showPath(path: DrawnPath | null): void {
    this.#path = path && makePathLine(path)
    this.#emitter.emit('path', path)
    const { startNs, endNs } = this.#camera.aim
    const isSeen = path?.parts.some((part) => part.startNs <= endNs && part.endNs >= startNs) ?? true
    const first = path?.parts[0]
    if (!isSeen && first) this.#glide(frameView(first.startNs, first.endNs, 0.8, this.#camera.extent))
    this.#requestFrame(true)
  }

  on: Timeline['on'] = (name, listener) => this.#emitter.on(name, listener)

  get contentHeightPx(): number {
    return this.#layout?.heightPx ?? 0
  }

  refreshTheme(): void {
    this.#renderer.refreshTheme(this.#data?.placed ?? null)
    this.#camera.reducedMotion = this.#renderer.reducedMotion
    this.#requestFrame(true)
  }

  async toPng(request: PictureRequest): Promise<Blob> {
    return await toPng(this.#picture(request))
  }

  toSvg(request: PictureRequest): SvgPicture {
    return toSvg(this.#picture(request))
  }

  frameTimesMs(): readonly number[] {
    return this.#renderer.frames.list()
  }

  dispose(): void {
    cancelAnimationFrame(this.#frameRequest)
    this.#searcher.stop()
    this.#aborter.abort()
    this.#detachGestures()
    this.#emitter.clear()
    this.#renderer.dispose()
  }

  // --- view --------------------------------------------------------------------------------------------------------------------

  #startOver(data: TimelineData): void {
    this.#hovered = null
    this.#measuring.clear()
    this.#laneStates.startOver(data)
    this.#emitter.emit('lanes', this.#laneStates.state(data, ''))
    this.#scrollPx = 0
    this.#selection.clear()
    this.refreshTheme()
  }

  #startView(data: TimelineData): View {
    return data.live ? followTarget(this.#camera.extent.startNs, data.nowNs) : this.#roundView()
  }

  #roundView(): View {
    const round = lastRound(this.#layout?.bands ?? [])
    return round ? padView(round) : fitView(this.#camera.extent)
  }

  #glide(view: View): void {
    this.#camera.glide(view, performance.now())
    this.#requestFrame(true)
  }

  #anchorNs(): number {
    const view = this.#camera.aim
    const range = this.#data && this.#selection.target && targetRange(this.#data, this.#selection.target)
    const middle = range ? (range.startNs + range.endNs) / 2 : NaN
    if (middle >= view.startNs && middle <= view.endNs) return middle
    return (view.startNs + view.endNs) / 2
  }

  #reveal(target: Target): void {
    const range = this.#data && targetRange(this.#data, target)
    if (!range || !this.#data || !this.#layout) return
    const { aim: view, extent } = this.#camera
    const pxPerNs = this.#scale().pxPerNs * (viewWidthNs(this.#camera.view) / viewWidthNs(view))
    const tooNarrow = target.type === 'gap' && (range.endNs - range.startNs) * pxPerNs < TOO_NARROW_PX
    this.#glide(
      tooNarrow
        ? frameView(range.startNs, range.endNs, SHOWN_SHARE, extent)
        : revealView(view, range.startNs, range.endNs, extent),
    )
    this.#revealRow(target)
  }

  #revealRow(target: Target): void {
    if (!this.#data || !this.#layout) return
    const box = targetBox(this.#data, this.#layout, this.#scale(), target)
    const fixed = fixedTopPx(this.#layout)
    if (!box || box.topPx < fixed) return
    if (box.topPx - this.#scrollPx < fixed) this.#scrollTo(box.topPx - fixed)
    if (box.topPx + box.heightPx - this.#scrollPx > this.#renderer.heightPx)
      this.#scrollTo(box.topPx + box.heightPx + 8 - this.#renderer.heightPx)
  }

  #scrollTo(px: number): void {
    const most = Math.max(0, (this.#layout?.heightPx ?? 0) - this.#renderer.heightPx)
    const next = Math.min(Math.max(0, px), most)
    if (next === this.#scrollPx) return
    this.#scrollPx = next
    this.#requestFrame(true)
  }

  // --- selection ---------------------------------------------------------------------------------------------------------------

  #stepSpans(what: 'span' | 'lane', direction: 1 | -1): Target | null {
    if (!this.#data || !this.#layout) return null
    const step = what === 'span' ? stepSpan : stepLane
    return step(this.#data, this.#layout, this.#selection.target, this.#camera.view, direction)
  }

  /** From the selection; where nothing is selected, from the begin of the view, so that the first one in view comes first. */
  #stepFound(direction: 1 | -1): Target | null {
    const { found } = this.#searcher
    const { target } = this.#selection
    if (!found || !this.#data) return null
    const { startNs, endNs } = this.#camera.view
    const range = target && targetRange(this.#data, target)
    const fromNs = range?.startNs ?? (direction === 1 ? startNs : endNs)
    const span = nextFound(found, target?.type === 'span' ? target.span : null, fromNs, direction)
    return span === null ? null : { type: 'span', span }
  }

  #stepFlow(direction: 1 | -1): Target | null {
    const { target } = this.#selection
    if (target?.type !== 'span' || !this.#data) return null
    const span = stepFlow(this.#data.placed, target.span, direction)
    return span === null ? null : { type: 'span', span }
  }

  #onFound(found: Found | null): void {
    if (found) this.#emitSearch()
    else this.#emitter.emit('search', null)
    this.#requestFrame(true)
  }

  #emitSearch(): void {
    const { found } = this.#searcher
    if (!found) return
    const { target } = this.#selection
    const at = target?.type === 'span' ? rankOf(found, target.span) + 1 : 0
    this.#emitter.emit('search', { query: found.query, count: found.count, at })
  }

  /** The time of the selection, else of the view, over all lanes; pressed again it goes away. */
  #areaOfSelection(): void {
    if (!this.#data || !this.#layout) return
    const range =
      (this.#selection.target && targetRange(this.#data, this.#selection.target)) ?? this.#camera.view
    const lanes = this.#layout.lanes.flatMap(({ lane }) => (lane ? [lane.id] : []))
    const { area } = this.#selection
    const isSame = area?.startNs === range.startNs && area.endNs === range.endNs
    this.selectArea(isSame ? null : { startNs: range.startNs, endNs: range.endNs, lanes })
  }

  // --- hands -------------------------------------------------------------------------------------------------------------------

  #act(action: Action): void {
    const { aim: view, extent } = this.#camera
    switch (action.type) {
      case 'zoom':
        this.zoomBy(action.factor)
        break
      case 'pan':
        this.#glide(panView(view, action.share * viewWidthNs(view), extent))
        break
      case 'step':
        this.step(action.what, action.direction)
        break
      case 'fit':
        this.fit()
        break
      case 'round':
        this.fitRound()
        break
      case 'follow':
        this.setFollowing(true)
        break
      case 'end':
        if (this.#data?.live) this.setFollowing(true)
        else this.#goTo(extent.endNs - viewWidthNs(view) * 0.95)
        break
      case 'start':
        this.#goTo(extent.startNs - viewWidthNs(view) * 0.05)
        break
      case 'zoom-selection': {
        if (this.#measuring.ruler?.to) {
          this.sumRuler()
          break
        }
        const what = this.#selection.target ?? this.#selection.area
        if (what) this.zoomTo(what)
        break
      }
      case 'area':
        this.#areaOfSelection()
        break
      case 'mark':
        this.mark(action.where)
        break
      case 'measure-to':
        if (this.#data && this.#selection.target)
          this.#measuring.toTarget(this.#data, this.#selection.target, action.edge)
        this.#requestFrame(false)
        break
      case 'pin':
      case 'fold':
        this.#toggleLane(action.type)
        break
      case 'write-note':
        this.#emitter.emit('write-note')
        break
      case 'ask':
        this.#emitter.emit('ask', action.what)
        break
      case 'chain':
        this.setWholeChain(!this.#isChainWhole)
        break
      case 'clear':
        if (this.#measuring.ruler) {
          this.clearRuler()
          break
        }
        this.search('')
        this.select(null)
        this.selectArea(null)
        break
    }
  }

  #goTo(startNs: number): void {
    this.#glide({ startNs, endNs: startNs + viewWidthNs(this.#camera.aim) })
  }

  #gestures(): Parameters<typeof attachGestures>[1] {
    return {
      zoomAt: (factor, cssX) => {
        const scale = this.#scale()
        const anchorNs = pxToNs(scale, Math.max(scale.leftPx, cssX))
        this.#camera.jump(zoomView(this.#camera.view, factor, anchorNs, this.#camera.extent))
      },
      panBy: (cssX, cssY) => {
        if (cssX !== 0) {
          const byNs = -cssX / this.#scale().pxPerNs
          this.#camera.jump(panView(this.#camera.view, byNs, this.#camera.extent))
        }
        if (cssY !== 0) this.#scrollTo(this.#scrollPx - cssY)
      },
      scrollBy: (cssY) => {
        const before = this.#scrollPx
        this.#scrollTo(before + cssY)
        return this.#scrollPx !== before
      },
      isHeader: (cssX) => cssX < (this.#layout?.headerPx ?? 0),
      areaFrom: (cssX, cssY) => {
        this.#camera.follow(false)
        this.#areaAnchor = {
          timeNs: this.#snap(cssX, cssY),
          cssY,
          allLanes: cssY < (this.#layout?.axisPx ?? 0),
        }
      },
      areaTo: (cssX, cssY) => {
        this.#dragArea(cssX, cssY)
      },
      areaEnd: () => {
        this.#areaAnchor = null
        this.#selection.areaEnded()
      },
      hoverAt: (cssX, cssY, willSelectArea) => {
        this.#pointer = { cssX, cssY }
        this.#hover()
        this.#point(willSelectArea)
      },
      hoverEnd: () => {
        this.#pointer = null
        this.#hover()
        this.#point(false)
      },
      clickAt: (cssX, cssY) => {
        if (this.#clickFrame(cssX, cssY)) return
        const target = this.#hit(cssX, cssY)
        if (!target && this.#selection.area) this.selectArea(null)
        this.select(target)
        if (this.#measuring.ruler && this.#data)
          this.#measuring.toPlace(this.#data, this.#rulerEnd(cssX, cssY), true)
      },
      doubleClickAt: (cssX, cssY) => {
        const target = this.#hit(cssX, cssY)
        const merged = this.#merged(target, cssX)
        if (merged) this.#tellApart(merged)
        else if (target && target.type !== 'counter') this.zoomTo(target)
      },
      isAxis: (cssX, cssY) => cssY < (this.#layout?.axisPx ?? 0) && cssX >= (this.#layout?.headerPx ?? 0),
    }
  }

  #snap(cssX: number, cssY: number): number {
    if (!this.#layout) return 0
    return snapToEdge(this.#laneUnder(cssY), this.#scale(), cssX)
  }

  #laneUnder(cssY: number): LaneLayout | null {
    return this.#layout && laneAt(this.#layout, contentYPx(this.#layout, this.#scrollPx, cssY))
  }

  #dragArea(cssX: number, cssY: number): void {
    const anchor = this.#areaAnchor
    if (!anchor || !this.#layout) return
    const timeNs = this.#snap(cssX, cssY)
    const lanes = anchor.allLanes
      ? this.#layout.lanes.flatMap(({ lane }) => (lane ? [lane.id] : []))
      : lanesBetween(
          this.#layout,
          contentYPx(this.#layout, this.#scrollPx, anchor.cssY),
          contentYPx(this.#layout, this.#scrollPx, cssY),
        )
    this.#selection.dragArea({
      startNs: Math.min(anchor.timeNs, timeNs),
      endNs: Math.max(anchor.timeNs, timeNs),
      lanes,
    })
    this.#requestFrame(false)
  }

  #hit(cssX: number, cssY: number): Target | null {
    if (!this.#data || !this.#layout) return null
    const y = contentYPx(this.#layout, this.#scrollPx, cssY)
    return hitTest(this.#data, this.#layout, this.#scale(), cssX, y)
  }

  #merged(target: Target | null, cssX: number): Merged | null {
    if (!this.#data || !this.#layout) return null
    return mergedAt(this.#data, this.#layout, this.#scale(), this.#renderer.dpr, target, cssX)
  }

  #tellApart(merged: Merged): void {
    const share = shareToTellApart(merged, this.#scale())
    this.#glide(frameView(merged.startNs, merged.endNs, share, this.#camera.extent))
  }

  #hover(): void {
    this.#hovered = this.#pointer ? this.#hit(this.#pointer.cssX, this.#pointer.cssY) : null
    const merged = this.#pointer && this.#merged(this.#hovered, this.#pointer.cssX)
    this.#emitter.emit('hover', this.#hovered, this.#pointer, merged)
    this.#requestFrame(false)
  }

  // --- measuring, lanes, notes -------------------------------------------------------------------------------------------------

  /** What the ruler would stand on here: the edge in reach, else the place itself. */
  #rulerEnd(cssX: number, cssY: number): RulerEnd {
    const scale = this.#scale()
    const edge = edgeAt(this.#laneUnder(cssY), scale, cssX)
    if (edge) return { type: 'edge', span: edge.span, edge: edge.edge }
    return { type: 'free', timeNs: pxToNs(scale, cssX), looseNs: 0.5 / scale.pxPerNs }
  }

  #rulerEndAtPointer(): RulerEnd {
    const scale = this.#scale()
    if (this.#pointer && this.#pointer.cssX >= scale.leftPx)
      return this.#rulerEnd(this.#pointer.cssX, this.#pointer.cssY)
    const { startNs, endNs } = this.#camera.view
    return { type: 'free', timeNs: (startNs + endNs) / 2, looseNs: 0.5 / scale.pxPerNs }
  }

  /** What a pointer at rest would do: the ruler follows it, an edge in reach lights up, a header shows its pin, a flag its notes. */
  #point(willSelectArea: boolean): void {
    const at = this.#pointer
    const { layout, data } = { layout: this.#layout, data: this.#data }
    const onLanes =
      at !== null &&
      layout !== null &&
      at.cssX >= layout.headerPx &&
      at.cssY >= layout.bandTopPx + layout.bandPx
    const end = onLanes && (willSelectArea || this.#measuring.ruler) ? this.#rulerEnd(at.cssX, at.cssY) : null
    this.#snapped = end?.type === 'edge' ? end : null
    if (end && data && this.#measuring.ruler) this.#measuring.toPlace(data, end, false)
    const notes = (at && this.#flag(at.cssX, at.cssY)?.notes) ?? []
    if (notes.length > 0 || this.#notesAt.length > 0) this.#emitter.emit('notes', notes, at)
    this.#notesAt = notes
    if (notes.length > 0 || this.#headerAt(at)?.does) this.#container.dataset['press'] = ''
    else delete this.#container.dataset['press']
  }

  #headerAt(at: { readonly cssX: number; readonly cssY: number } | null): HeaderHit | null {
    if (!at || !this.#layout) return null
    return headerHit(this.#layout, at.cssX, contentYPx(this.#layout, this.#scrollPx, at.cssY))
  }

  #flag(cssX: number, cssY: number): NoteFlag | null {
    const layout = this.#layout
    if (!this.#data || !layout || cssX < layout.headerPx) return null
    if (cssY < layout.axisPx || cssY >= layout.axisPx + layout.notesPx) return null
    return flagAt(this.#renderer.noteFlags({ data: this.#data, scale: this.#scale() }), cssX)
  }

  /** A click on a header or a note's flag. False: it was on the lanes. */
  #clickFrame(cssX: number, cssY: number): boolean {
    if (!this.#data || !this.#layout) return false
    const notes = this.#flag(cssX, cssY)?.notes.flatMap(
      (note) => this.#data?.placed.trace.annotations[note] ?? [],
    )
    if (notes && notes.length > 0) {
      const startNs = Math.min(...notes.map((note) => note.startNs))
      const endNs = Math.max(...notes.map((note) => note.endNs))
      // A moment has no width to be framed in.
      if (endNs > startNs) this.#glide(frameView(startNs, endNs, SHOWN_SHARE, this.#camera.extent))
      else this.#glide(revealView(this.#camera.aim, startNs, endNs, this.#camera.extent))
      return true
    }
    const header = this.#headerAt({ cssX, cssY })
    const id = header?.lane.lane?.id
    if (!header?.does || id === undefined) return false
    if (header.does === 'pin') this.pinLane(id, !header.lane.isPinned)
    else this.foldLane(id, header.lane.fold !== 'folded')
    return true
  }

  /** The selection's lane, else the one under the pointer. */
  #toggleLane(what: 'pin' | 'fold'): void {
    const { target } = this.#selection
    const id = this.#data && target ? laneOfTarget(this.#data, target) : this.#laneUnderPointer()
    const lane = this.#layout?.lanes.find((each) => each.lane?.id === id)
    if (id === undefined || !lane) this.#say('Select a bar first: its lane is the one meant.')
    else if (what === 'pin') this.pinLane(id, !lane.isPinned)
    else if (lane.fold === 'none') this.#say(`${this.#laneName(id)} has nothing to fold`)
    else this.foldLane(id, lane.fold !== 'folded')
  }

  #laneUnderPointer(): number | undefined {
    return this.#pointer ? this.#laneUnder(this.#pointer.cssY)?.lane?.id : undefined
  }

  /** Null where the pointer is at no time. */
  #pointerPx({ leftPx }: Scale): number | null {
    return this.#pointer && this.#pointer.cssX >= leftPx ? this.#pointer.cssX : null
  }

  #laneName(lane: number): string {
    return this.#data?.placed.trace.lanes[lane]?.name ?? ''
  }

  #say(said: string): void {
    if (this.#data) this.#emitter.emit('lanes', this.#laneStates.state(this.#data, said))
  }

  /** Rows were moved: what is selected stays in sight, what lay under the pointer is another lane. */
  #lanesChanged(said: string): void {
    this.#relayout()
    this.#scrollTo(this.#scrollPx)
    const { target } = this.#selection
    if (target) this.#revealRow(target)
    this.#hover()
    this.#point(false)
    this.#requestFrame(true)
    this.#say(said)
  }

  // --- frames ------------------------------------------------------------------------------------------------------------------

  #onResized(): void {
    if (!this.#renderer.measure(this.#data?.placed ?? null)) return
    this.#relayout()
    this.#scrollTo(this.#scrollPx)
    // The canvases are blank: paint before the browser shows them.
    this.#paint(performance.now())
  }

  #relayout(): void {
    if (!this.#data) return
    const before = this.#layout?.heightPx
    this.#layout = makeLayout(this.#data.placed, this.#data.gaps, {
      widthPx: this.#renderer.widthPx,
      compact: this.#compact,
      holdDeviceLane: true,
      pinned: this.#laneStates.pinned,
      folded: this.#laneStates.folded,
      ...(this.#renderer.heightPx > 0
        ? { fixedLimitPx: this.#renderer.heightPx * (1 - SCROLLING_SHARE) }
        : {}),
    })
    if (before !== this.#layout.heightPx) this.#emitter.emit('layout', this.#layout.heightPx)
  }

  #scale(): Scale {
    return makeScale(this.#camera.view, this.#layout?.headerPx ?? 0, this.#renderer.widthPx)
  }

  #requestFrame(base: boolean): void {
    if (base) this.#renderer.invalidate()
    if (this.#frameRequest !== 0) return
    this.#frameRequest = requestAnimationFrame((nowMs) => {
      this.#frameRequest = 0
      this.#paint(nowMs)
    })
  }

  #paint(nowMs: number): void {
    // Should every observer have missed it: a window dragged to another screen must not stay blurred.
    if (this.#renderer.isBlurred) this.#renderer.measure(this.#data?.placed ?? null)
    const { widthPx, heightPx } = this.#renderer
    if (!this.#data || !this.#layout || widthPx === 0 || heightPx === 0) return
    const moving = this.#camera.advance(nowMs, this.#data.live ? this.#data.nowNs : null)
    this.#renderer.paint(this.#scene(this.#data, this.#layout), (baseWasPainted) => {
      if (baseWasPainted && this.#pointer) this.#hovered = this.#hit(this.#pointer.cssX, this.#pointer.cssY)
      return this.#overlay()
    })
    if (moving) this.#requestFrame(true)
  }

  #scene(data: TimelineData, layout: Layout): Scene {
    const scale = this.#scale()
    const ticks = timeTicks(this.#camera.view, scale.rightPx - scale.leftPx)
    return {
      scale,
      layout,
      scrollPx: this.#scrollPx,
      data,
      ticks,
      found: this.#searcher.found,
      path: this.#path,
    }
  }

  #overlay(): Overlay {
    return {
      hovered: this.#hovered,
      selected: this.#selection.target,
      area: this.#selection.area,
      pointerPx: this.#areaAnchor ? null : this.#pointerPx(this.#scale()),
      ruler: this.#measuring.ruler,
      snapped: this.#areaAnchor ? null : this.#snapped,
      header: this.#headerAt(this.#pointer),
      isChainWhole: this.#isChainWhole,
    }
  }

  #picture({ caption, withSelection }: PictureRequest): PictureInput {
    const { widthPx, heightPx, theme } = this.#renderer
    if (!this.#data || !this.#layout || widthPx === 0 || heightPx === 0)
      throw new Error('there is no timeline to make a picture of')
    return {
      scene: this.#scene(this.#data, this.#layout),
      widthPx,
      heightPx,
      theme,
      overlay: {
        ...this.#overlay(),
        hovered: null,
        pointerPx: null,
        snapped: null,
        header: null,
        ...(withSelection ? {} : { selected: null, area: null, ruler: null }),
      },
      caption,
    }
  }
}
