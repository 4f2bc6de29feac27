/**
 * The timeline itself: holds the data, the view and the selection, turns gestures and keys into the next view, and paints at most
 * once an animation frame. All thinking is in the pure files beside this one; here they meet the DOM.
 */
import type { Gap } from '../analysis/types'
import { lastRound } from '../trace/bands'
import { Camera } from './camera'
import { Emitter } from './emitter'
import { followTarget } from './follow'
import { FrameLog } from './frame-log'
import { targetBox } from './geometry'
import { attachGestures } from './gestures'
import { hitTest, laneAt, lanesBetween, snapToEdge } from './hit-test'
import { keyAction, type Action } from './keys'
import { makeLayout, type Layout } from './layout'
import { stepGap, stepLane, stepSpan, targetRange } from './navigate'
import { fixedTopPx, makeFonts, type Fonts, type Frame } from './frame'
import { paintFrame } from './paint'
import { paintOverlay } from './paint-overlay'
import { Patterns } from './patterns'
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
import { Surface } from './surface'
import { readTheme, type Theme } from './theme'
import { timeTicks } from './ticks'
import type { AreaSelection, Target, Timeline, TimelineData, TimelineOptions, View } from './types'
import { DrawList, Merger } from './visible'

/** A gap or span narrower than this is zoomed to when stepped to: a learner should see what was found. */
const TOO_NARROW_PX = 24
const SHOWN_SHARE = 0.3

const runKey = ({ trace: { info } }: TimelineData['placed']): string =>
  `${info.experiment} ${info.startedAt} ${info.origin}`

export class TimelineController implements Timeline {
  readonly #container: HTMLElement
  readonly #compact: boolean
  readonly #surface: Surface
  readonly #emitter = new Emitter()
  readonly #frames = new FrameLog()
  readonly #drawList = new DrawList()
  readonly #merger = new Merger()
  readonly #aborter = new AbortController()
  readonly #camera = new Camera((view, following) => {
    this.#emitter.emit('view', view, following)
    this.#requestFrame(true)
  })
  readonly #detachGestures: () => void
  #theme: Theme
  #fonts: Fonts
  #patterns: Patterns
  #data: TimelineData | null = null
  #layout: Layout | null = null
  #hovered: Target | null = null
  #selected: Target | null = null
  #selectedGap: Gap | null = null
  #area: AreaSelection | null = null
  #areaAnchor: { readonly timeNs: number; readonly cssY: number; readonly allLanes: boolean } | null = null
  #pointer: { readonly cssX: number; readonly cssY: number } | null = null
  #scrollPx = 0
  #frameRequest = 0
  #baseStale = true

  constructor(container: HTMLElement, options: TimelineOptions = {}) {
    this.#container = container
    this.#compact = options.compact ?? false
    if (!container.hasAttribute('tabindex')) container.tabIndex = 0
    this.#surface = new Surface(container, {
      resized: () => {
        this.#onResized()
      },
      themeChanged: () => {
        this.refreshTheme()
      },
    })
    this.#theme = readTheme(container, false)
    this.#camera.reducedMotion = this.#theme.reducedMotion
    this.#fonts = makeFonts(this.#surface.base, this.#theme.fontFamily)
    this.#patterns = new Patterns(this.#surface.dpr)
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
    if (isNewRun) this.#startOver()
    this.#relayout()
    this.#camera.setExtent(safeExtent(startOfAllNs, Math.max(endOfAllNs, data.live ? data.nowNs : -Infinity)))
    this.#keepSelectedGap(data)
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
    this.#selected = target
    this.#selectedGap = target?.type === 'gap' ? (this.#data?.gaps[target.gap] ?? null) : null
    this.#emitter.emit('select', target)
    this.#requestFrame(false)
  }

  selectArea(area: AreaSelection | null): void {
    this.#area = area
    this.#emitter.emit('area', area)
    this.#requestFrame(false)
  }

  step(what: 'span' | 'gap' | 'lane', direction: 1 | -1): void {
    if (!this.#data || !this.#layout) return
    const step =
      what === 'gap'
        ? stepGap(this.#data, this.#selected, this.#camera.view, direction)
        : this.#stepSpans(what, direction)
    if (!step) return
    this.select(step)
    this.#reveal(step)
  }

  on: Timeline['on'] = (name, listener) => this.#emitter.on(name, listener)

  get contentHeightPx(): number {
    return this.#layout?.heightPx ?? 0
  }

  refreshTheme(): void {
    this.#theme = readTheme(
      this.#container,
      this.#data !== null && this.#data.placed.trace.info.origin === 'recorded',
    )
    this.#camera.reducedMotion = this.#theme.reducedMotion
    this.#fonts = makeFonts(this.#surface.base, this.#theme.fontFamily)
    this.#patterns = new Patterns(this.#surface.dpr)
    this.#requestFrame(true)
  }

  frameTimesMs(): readonly number[] {
    return this.#frames.list()
  }

  dispose(): void {
    cancelAnimationFrame(this.#frameRequest)
    this.#aborter.abort()
    this.#detachGestures()
    this.#emitter.clear()
    this.#surface.dispose()
  }

  // --- view --------------------------------------------------------------------------------------------------------------------

  #startOver(): void {
    this.#hovered = null
    this.#scrollPx = 0
    if (this.#selected) this.select(null)
    if (this.#area) this.selectArea(null)
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
    const range = this.#data && this.#selected && targetRange(this.#data, this.#selected)
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
    const box = targetBox(this.#data, this.#layout, this.#scale(), target)
    const fixed = fixedTopPx(this.#layout)
    if (!box || box.topPx < fixed) return
    if (box.topPx - this.#scrollPx < fixed) this.#scrollTo(box.topPx - fixed)
    if (box.topPx + box.heightPx - this.#scrollPx > this.#surface.heightPx)
      this.#scrollTo(box.topPx + box.heightPx + 8 - this.#surface.heightPx)
  }

  #scrollTo(px: number): void {
    const most = Math.max(0, (this.#layout?.heightPx ?? 0) - this.#surface.heightPx)
    const next = Math.min(Math.max(0, px), most)
    if (next === this.#scrollPx) return
    this.#scrollPx = next
    this.#requestFrame(true)
  }

  // --- selection ---------------------------------------------------------------------------------------------------------------

  #stepSpans(what: 'span' | 'lane', direction: 1 | -1): Target | null {
    if (!this.#data || !this.#layout) return null
    const step = what === 'span' ? stepSpan : stepLane
    return step(this.#data, this.#layout, this.#selected, this.#camera.view, direction)
  }

  /** Gaps are found anew with every chunk: the selected one is known again by the passes on its sides. */
  #keepSelectedGap(data: TimelineData): void {
    const kept = this.#selectedGap
    if (!kept || this.#selected?.type !== 'gap') return
    const gap = data.gaps.findIndex(({ before, after }) => before === kept.before && after === kept.after)
    if (gap < 0) this.select(null)
    else if (gap !== this.#selected.gap) this.select({ type: 'gap', gap })
  }

  /** The time of the selection, else of the view, over all lanes; pressed again it goes away. */
  #areaOfSelection(): void {
    if (!this.#data || !this.#layout) return
    const range = (this.#selected && targetRange(this.#data, this.#selected)) ?? this.#camera.view
    const lanes = this.#layout.lanes.flatMap(({ lane }) => (lane ? [lane.id] : []))
    const isSame = this.#area?.startNs === range.startNs && this.#area.endNs === range.endNs
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
        const what = this.#selected ?? this.#area
        if (what) this.zoomTo(what)
        break
      }
      case 'area':
        this.#areaOfSelection()
        break
      case 'clear':
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
        if (this.#area) this.#emitter.emit('area', this.#area)
      },
      hoverAt: (cssX, cssY) => {
        this.#pointer = { cssX, cssY }
        this.#hover()
      },
      hoverEnd: () => {
        this.#pointer = null
        this.#hover()
      },
      clickAt: (cssX, cssY) => {
        const target = this.#hit(cssX, cssY)
        if (!target && this.#area) this.selectArea(null)
        this.select(target)
      },
      doubleClickAt: (cssX, cssY) => {
        const target = this.#hit(cssX, cssY)
        if (target && target.type !== 'counter') this.zoomTo(target)
      },
      isAxis: (cssX, cssY) => cssY < (this.#layout?.axisPx ?? 0) && cssX >= (this.#layout?.headerPx ?? 0),
    }
  }

  #snap(cssX: number, cssY: number): number {
    if (!this.#layout) return 0
    return snapToEdge(laneAt(this.#layout, cssY + this.#scrollPx), this.#scale(), cssX)
  }

  #dragArea(cssX: number, cssY: number): void {
    const anchor = this.#areaAnchor
    if (!anchor || !this.#layout) return
    const timeNs = this.#snap(cssX, cssY)
    const lanes = anchor.allLanes
      ? this.#layout.lanes.flatMap(({ lane }) => (lane ? [lane.id] : []))
      : lanesBetween(this.#layout, anchor.cssY + this.#scrollPx, cssY + this.#scrollPx)
    this.#area = {
      startNs: Math.min(anchor.timeNs, timeNs),
      endNs: Math.max(anchor.timeNs, timeNs),
      lanes,
    }
    this.#requestFrame(false)
  }

  #hit(cssX: number, cssY: number): Target | null {
    if (!this.#data || !this.#layout) return null
    const y = cssY < fixedTopPx(this.#layout) ? cssY : cssY + this.#scrollPx
    return hitTest(this.#data, this.#layout, this.#scale(), cssX, y)
  }

  #hover(): void {
    this.#hovered = this.#pointer ? this.#hit(this.#pointer.cssX, this.#pointer.cssY) : null
    this.#emitter.emit('hover', this.#hovered, this.#pointer)
    this.#requestFrame(false)
  }

  // --- frames ------------------------------------------------------------------------------------------------------------------

  #onResized(): void {
    const before = this.#surface.dpr
    if (!this.#surface.measure()) return
    if (before !== this.#surface.dpr) this.refreshTheme()
    this.#relayout()
    this.#scrollTo(this.#scrollPx)
    // Setting a canvas's size blanks it: paint before the browser shows it.
    this.#baseStale = true
    this.#paint(performance.now())
  }

  #relayout(): void {
    if (!this.#data) return
    const before = this.#layout?.heightPx
    this.#layout = makeLayout(this.#data.placed, this.#data.gaps, {
      widthPx: this.#surface.widthPx,
      compact: this.#compact,
      holdDeviceLane: true,
    })
    if (before !== this.#layout.heightPx) this.#emitter.emit('layout', this.#layout.heightPx)
  }

  #scale(): Scale {
    return makeScale(this.#camera.view, this.#layout?.headerPx ?? 0, this.#surface.widthPx)
  }

  #requestFrame(base: boolean): void {
    this.#baseStale ||= base
    if (this.#frameRequest !== 0) return
    this.#frameRequest = requestAnimationFrame((nowMs) => {
      this.#frameRequest = 0
      this.#paint(nowMs)
    })
  }

  #paint(nowMs: number): void {
    // Should every observer have missed it: a window dragged to another screen must not stay blurred.
    if (globalThis.devicePixelRatio !== this.#surface.dpr && this.#surface.measure()) {
      this.refreshTheme()
      this.#baseStale = true
    }
    const { widthPx, heightPx, dpr } = this.#surface
    if (!this.#data || !this.#layout || widthPx === 0 || heightPx === 0) return
    const moving = this.#camera.advance(nowMs, this.#data.live ? this.#data.nowNs : null)
    const startedMs = performance.now()
    const scale = this.#scale()
    const frame: Omit<Frame, 'context'> = {
      widthPx,
      heightPx,
      dpr,
      scale,
      layout: this.#layout,
      scrollPx: this.#scrollPx,
      data: this.#data,
      theme: this.#theme,
      ticks: timeTicks(this.#camera.view, scale.rightPx - scale.leftPx),
      patterns: this.#patterns,
      drawList: this.#drawList,
      merger: this.#merger,
      fonts: this.#fonts,
    }
    if (this.#baseStale) {
      paintFrame({ ...frame, context: this.#surface.base })
      this.#baseStale = false
      if (this.#pointer) this.#hovered = this.#hit(this.#pointer.cssX, this.#pointer.cssY)
    }
    paintOverlay(
      { ...frame, context: this.#surface.overlay },
      {
        hovered: this.#hovered,
        selected: this.#selected,
        area: this.#area,
        pointerPx: this.#areaAnchor ? null : (this.#pointer?.cssX ?? null),
      },
    )
    this.#frames.add(performance.now() - startedMs)
    if (moving) this.#requestFrame(true)
  }
}
