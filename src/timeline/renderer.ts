/**
 * Turns a scene into pixels: owns the canvases, theme, fonts, patterns and scratch space of
 * painting, and measures what a frame costs. What follows the pointer has a canvas of its own, so
 * that a hover repaints nothing else; where the lanes are painted anew it is painted on them, and
 * its canvas put away: a second canvas costs the browser a third of a frame, whatever is on it.
 */
import type { PlacedTrace } from '../trace/place'
import { ColumnBitmap } from './column-bitmap'
import { makeFonts, type Fonts, type Frame } from './frame'
import { paintFrame } from './paint'
import { paintOverlay, type Overlay } from './paint-overlay'
import { Patterns } from './patterns'
import { Surface, type SurfaceListener } from './surface'
import { readTheme, type Theme } from './theme'
import { DrawList, Merger } from './visible'

/** The parts of a frame that the renderer does not know itself. */
export type Scene = Pick<Frame, 'scale' | 'layout' | 'scrollPx' | 'data' | 'ticks' | 'found' | 'path'>

export class Renderer {
  readonly #container: HTMLElement
  readonly surface: Surface
  readonly #drawList = new DrawList()
  readonly #merger = new Merger()
  readonly #columns: ColumnBitmap
  #theme: Theme
  #fonts: Fonts
  #patterns: Patterns
  #isBaseStale = true
  /** The marks that follow the pointer are on the lanes' canvas. */
  #isOverlayOnBase = false

  constructor(container: HTMLElement, listener: SurfaceListener) {
    this.#container = container
    this.surface = new Surface(container, listener)
    this.#columns = new ColumnBitmap(this.surface.base)
    this.#theme = readTheme(container, false)
    this.#fonts = makeFonts(this.surface.base, this.#theme.fontFamily)
    this.#patterns = new Patterns(this.surface.dpr)
  }

  /** The screen's pixel ratio is no longer the canvases'. */
  get isBlurred(): boolean {
    return (globalThis.devicePixelRatio || 1) * this.surface.zoom !== this.surface.dpr
  }

  get theme(): Theme {
    return this.#theme
  }

  /** The lanes are to be painted anew, not the overlay alone. */
  invalidate(): void {
    this.#isBaseStale = true
  }

  /** Re-reads colours and fonts; what was not measured here is drawn with less chroma. */
  refreshTheme(placed: PlacedTrace | null): void {
    this.#theme = readTheme(this.#container, (placed?.trace.info.origin ?? 'live') !== 'live')
    this.#fonts = makeFonts(this.surface.base, this.#theme.fontFamily)
    this.#patterns = new Patterns(this.surface.dpr)
    this.#isBaseStale = true
  }

  /** True where the size or the pixel ratio changed: the canvases are then blank. */
  measure(placed: PlacedTrace | null): boolean {
    const before = this.surface.dpr
    if (!this.surface.measure()) return false
    if (before !== this.surface.dpr) this.refreshTheme(placed)
    // Setting a canvas's size blanks it.
    this.#isBaseStale = true
    return true
  }

  /**
   * The overlay is asked for after the lanes: where they moved, something else may lie under the
   * pointer.
   */
  paint(scene: Scene, makeOverlay: (baseWasPainted: boolean) => Overlay): void {
    const frame = this.#frame(scene)
    const { base, overlay } = this.surface
    const paintsBase = this.#isBaseStale
    if (paintsBase || this.#isOverlayOnBase) {
      base.clearRect(0, 0, frame.widthPx, frame.heightPx)
      paintFrame({ ...frame, context: base })
    }
    this.#isBaseStale = false
    if (paintsBase !== this.#isOverlayOnBase) {
      this.#isOverlayOnBase = paintsBase
      this.surface.showOverlay(!paintsBase)
    }
    const top = paintsBase ? base : overlay
    if (!paintsBase) overlay.clearRect(0, 0, frame.widthPx, frame.heightPx)
    paintOverlay({ ...frame, context: top }, makeOverlay(paintsBase))
  }

  dispose(): void {
    this.surface.dispose()
  }

  #frame(scene: Scene): Omit<Frame, 'context'> {
    const { widthPx, heightPx, dpr } = this.surface
    return {
      ...scene,
      widthPx,
      heightPx,
      dpr,
      theme: this.#theme,
      patterns: this.#patterns,
      drawList: this.#drawList,
      merger: this.#merger,
      columns: this.#columns,
      fonts: this.#fonts,
    }
  }
}
