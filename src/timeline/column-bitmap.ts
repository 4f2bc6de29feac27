/**
 * Thousands of one-pixel columns as one picture. A canvas without a GPU takes 5 µs a rectangle, so
 * that a full lane of merged spans or of narrow bars cost more than all the rest of the frame; here
 * a column is a few words of memory, and a lane is drawn at once. Units: device px.
 */
import { over, type Rgb, toBytes } from './colour'

/**
 * Columns of pixels in plain memory: what `ColumnBitmap` draws. Rows of words as ImageData holds
 * them (see toBytes), not premultiplied. Pure. Units: device px. @internal
 */
export class PixelColumns {
  width = 0
  height = 0
  pixels = new Uint32Array()
  /**
   * Rows [firstRow, endRow) were filled since `begin`: the others need not be drawn, nor cleared.
   */
  firstRow = Infinity
  endRow = 0
  #word = 0

  /** Blank pixels, in the same memory where it is large enough. True where it is new. */
  begin(width: number, height: number): boolean {
    const isNew = width !== this.width || this.pixels.length < width * height
    if (isNew) this.pixels = new Uint32Array(width * height)
    else if (this.endRow > 0) this.pixels.fill(0, this.firstRow * width, this.endRow * width)
    this.width = width
    this.height = height
    this.firstRow = Infinity
    this.endRow = 0
    return isNew
  }

  /** The colour of what is filled from now on. */
  ink(colour: Rgb, alpha: number): void {
    this.#word = toBytes(colour, alpha)
  }

  /**
   * Pixels [left, right) × [top, bottom) from the corner; what lies outside is cut. Later ones
   * replace earlier ones.
   */
  fill(left: number, right: number, top: number, bottom: number): void {
    const { width, pixels } = this
    const word = this.#word
    const from = left < 0 ? 0 : left
    const to = right > width ? width : right
    const first = top < 0 ? 0 : top
    const end = bottom > this.height ? this.height : bottom
    if (from >= to || first >= end) return
    this.#touch(first, end)
    if (to - from === 1)
      for (let at = first * width + from, past = end * width; at < past; at += width) pixels[at] = word
    else for (let row = first; row < end; row += 1) pixels.fill(word, row * width + from, row * width + to)
  }

  /**
   * The same where left and right lie within pixels: these are filled in part, and all are laid
   * over what is there.
   */
  cover(left: number, right: number, top: number, bottom: number): void {
    const from = left < 0 ? 0 : left
    const to = right > this.width ? this.width : right
    const first = top < 0 ? 0 : top
    const end = bottom > this.height ? this.height : bottom
    if (!(from < to && first < end)) return
    this.#touch(first, end)
    for (let column = Math.floor(from); column < to; column += 1)
      this.#coverColumn(column, first, end, Math.min(to, column + 1) - Math.max(from, column))
  }

  #touch(first: number, end: number): void {
    if (first < this.firstRow) this.firstRow = first
    if (end > this.endRow) this.endRow = end
  }

  #coverColumn(column: number, first: number, end: number, share: number): void {
    const { width, pixels } = this
    const alpha = Math.round((this.#word >>> 24) * share)
    const word = ((this.#word & 0xff_ff_ff) | (alpha << 24)) >>> 0
    if (alpha === 255) {
      for (let at = first * width + column, past = end * width; at < past; at += width) pixels[at] = word
      return
    }
    // Rows of a column are mostly alike.
    let under = 0
    let mixed = word
    for (let at = first * width + column, past = end * width; at < past; at += width) {
      const there = pixels[at] ?? 0
      if (there !== under) {
        under = there
        mixed = over(word, there)
      }
      pixels[at] = mixed
    }
  }
}

type Page = OffscreenCanvasRenderingContext2D

/**
 * Pages of lanes that are gone (folded, moved, of another run) are let go when there are more than
 * this.
 */
const MOST_PAGES = 64

export class ColumnBitmap extends PixelColumns {
  readonly #to: Pick<CanvasRenderingContext2D, 'drawImage' | 'imageSmoothingEnabled'>
  #image: ImageData | null = null
  /**
   * By their top. Chromium copies a canvas that is written while a drawing of it is still to be
   * done: so each lane has its own.
   */
  readonly #pages = new Map<number, Page>()
  #page: Page | null = null
  #corner = { leftPx: 0, topPx: 0, dpr: 1 }

  constructor(to: Pick<CanvasRenderingContext2D, 'drawImage' | 'imageSmoothingEnabled'>) {
    super()
    this.#to = to
  }

  /** Starts a picture of so many pixels with its corner at (leftPx, topPx), in CSS px. */
  beginAt(leftPx: number, topPx: number, width: number, height: number, dpr: number): void {
    this.#corner = { leftPx, topPx, dpr }
    const [columns, rows] = [Math.max(1, width), Math.max(1, height)]
    if (this.begin(columns, rows))
      this.#image = new ImageData(new Uint8ClampedArray(this.pixels.buffer), columns)
    this.#page = this.#pageAt(topPx, columns, rows)
  }

  /** Draws what was filled since `beginAt`. */
  end(): void {
    const { width, firstRow, endRow } = this
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
