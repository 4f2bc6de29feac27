/**
 * Thousands of one-pixel columns as one picture. A canvas without a GPU takes 5 µs a rectangle, so
 * that a full lane of merged spans or of narrow bars cost more than all the rest of the frame; here
 * a column is a few words of memory, and a lane is drawn at once. Units: device px.
 */
import { PixelColumns } from './pixel-columns'
import type { Rgb } from './colour'

type Page = OffscreenCanvasRenderingContext2D

/**
 * Pages of lanes that are gone (folded, moved, of another run) are let go when there are more than
 * this.
 */
const MOST_PAGES = 64

export class ColumnBitmap {
  readonly #to: Pick<CanvasRenderingContext2D, 'drawImage' | 'imageSmoothingEnabled'>
  readonly #columns = new PixelColumns()
  #image: ImageData | null = null
  /**
   * By their top. Chromium copies a canvas that is written while a drawing of it is still to be
   * done: so each lane has its own.
   */
  readonly #pages = new Map<number, Page>()
  #page: Page | null = null
  #corner = { leftPx: 0, topPx: 0, dpr: 1 }

  constructor(to: Pick<CanvasRenderingContext2D, 'drawImage' | 'imageSmoothingEnabled'>) {
    this.#to = to
  }

  /** Starts a picture of so many pixels with its corner at (leftPx, topPx), in CSS px. */
  begin(leftPx: number, topPx: number, width: number, height: number, dpr: number): void {
    this.#corner = { leftPx, topPx, dpr }
    const [columns, rows] = [Math.max(1, width), Math.max(1, height)]
    if (this.#columns.begin(columns, rows)) {
      const { buffer } = this.#columns.pixels
      this.#image = new ImageData(new Uint8ClampedArray(buffer), columns)
    }
    this.#page = this.#pageAt(topPx, columns, rows)
  }

  /** The colour of what is filled from now on. */
  ink(colour: Rgb, alpha: number): void {
    this.#columns.ink(colour, alpha)
  }

  /**
   * Pixels [left, right) × [top, bottom) from the corner; what lies outside is cut. Later ones
   * replace earlier ones.
   */
  fill(left: number, right: number, top: number, bottom: number): void {
    this.#columns.fill(left, right, top, bottom)
  }

  /**
   * The same where left and right lie within pixels: these are filled in part, and all are laid
   * over what is there.
   */
  cover(left: number, right: number, top: number, bottom: number): void {
    this.#columns.cover(left, right, top, bottom)
  }

  /** Draws what was filled since `begin`. */
  end(): void {
    const { width, firstRow, endRow } = this.#columns
    if (endRow === 0 || !this.#image || !this.#page) return
    const height = endRow - firstRow
    this.#page.putImageData(this.#image, 0, 0, 0, firstRow, width, height)
    const { leftPx, topPx, dpr } = this.#corner
    this.#to.imageSmoothingEnabled = false
    this.#to.drawImage(
      this.#page.canvas,
      0,
      firstRow,
      width,
      height,
      leftPx,
      topPx + firstRow / dpr,
      width / dpr,
      height / dpr,
    )
  }

  #pageAt(topPx: number, width: number, height: number): Page | null {
    const known = this.#pages.get(topPx)
    if (known?.canvas.width === width && known.canvas.height === height) return known
    if (this.#pages.size >= MOST_PAGES) this.#pages.clear()
    // Written by the processor each frame: it has no business on a GPU.
    const page = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
    if (page) this.#pages.set(topPx, page)
    return page
  }
}
