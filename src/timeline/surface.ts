/**
 * The two canvases and everything that makes them stale: the container's size, the pixel ratio, the
 * theme, fonts that arrive late. Sizes are px of the drawing, which are CSS px at the usual size of
 * text and grow with it; the backing stores are device px.
 */
export interface SurfaceListener {
  resized: () => void
  themeChanged: () => void
}

/** CSS px, of the root element's text. */
const USUAL_TEXT_PX = 16
/**
 * How much larger the visitor has made text than it is unless somebody asks for more; it gets no
 * smaller here.
 */
const textZoom = (): number =>
  Math.max(1, Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / USUAL_TEXT_PX || 1)

export class Surface {
  readonly base: CanvasRenderingContext2D
  readonly overlay: CanvasRenderingContext2D
  widthPx = 0
  heightPx = 0
  /** Device px to a px of the drawing. */
  dpr = 1
  /** CSS px to a px of the drawing. */
  zoom = 1
  readonly #container: HTMLElement
  readonly #aborter = new AbortController()
  readonly #observers: { disconnect: () => void }[] = []
  readonly #listener: SurfaceListener

  constructor(container: HTMLElement, listener: SurfaceListener) {
    this.#container = container
    this.#listener = listener
    if (getComputedStyle(container).position === 'static') container.style.position = 'relative'
    // The page keeps vertical swipes; sideways ones and two fingers come here.
    container.style.touchAction = 'pan-y'
    this.base = this.#addCanvas()
    this.overlay = this.#addCanvas()
    this.measure()
    this.#watch()
  }

  dispose(): void {
    this.#aborter.abort()
    for (const observer of this.#observers) observer.disconnect()
    this.base.canvas.remove()
    this.overlay.canvas.remove()
  }

  /**
   * Fits the backing stores to the container. True where something changed (the canvases are then
   * blank).
   */
  measure(): boolean {
    const { clientWidth, clientHeight } = this.#container
    const zoom = textZoom()
    const dpr = (globalThis.devicePixelRatio || 1) * zoom
    const [widthPx, heightPx] = [clientWidth / zoom, clientHeight / zoom]
    if (widthPx === this.widthPx && heightPx === this.heightPx && dpr === this.dpr) return false
    this.widthPx = widthPx
    this.heightPx = heightPx
    this.zoom = zoom
    this.dpr = dpr
    for (const context of [this.base, this.overlay]) {
      context.canvas.width = Math.max(1, Math.round(widthPx * dpr))
      context.canvas.height = Math.max(1, Math.round(heightPx * dpr))
      context.setTransform(dpr, 0, 0, dpr, 0, 0)
    }
    return true
  }

  /** Put away it is blank: nothing of it shows, and nothing of it is drawn. */
  showOverlay(isShown: boolean): void {
    if (!isShown) this.overlay.clearRect(0, 0, this.widthPx, this.heightPx)
    this.overlay.canvas.style.visibility = isShown ? '' : 'hidden'
  }

  #addCanvas(): CanvasRenderingContext2D {
    const canvas = document.createElement('canvas')
    canvas.setAttribute('aria-hidden', 'true')
    canvas.style.cssText = 'position:absolute;inset:0;width:100%;height:100%;pointer-events:none'
    this.#container.append(canvas)
    const context = canvas.getContext('2d')
    if (!context) throw new Error('this browser gives no 2D canvas')
    return context
  }

  #watch(): void {
    const { signal } = this.#aborter
    const resized = (): void => this.#listener.resized()
    const themed = (): void => this.#listener.themeChanged()
    const sizes = new ResizeObserver(resized)
    sizes.observe(this.#container)
    // Tells of a new pixel ratio at once, where the browser knows this box; elsewhere the next
    // frame sees it.
    if ('devicePixelContentBoxSize' in ResizeObserverEntry.prototype)
      sizes.observe(this.base.canvas, { box: 'device-pixel-content-box' })
    // The page's theme switch sets an attribute or a class on the root element.
    const attributes = new MutationObserver(themed)
    attributes.observe(document.documentElement, { attributes: true })
    this.#observers.push(sizes, attributes)
    for (const query of [
      '(prefers-color-scheme: dark)',
      '(forced-colors: active)',
      '(prefers-reduced-motion: reduce)',
    ])
      matchMedia(query).addEventListener('change', themed, { signal })
    document.fonts.addEventListener('loadingdone', themed, { signal })
  }
}
