/**
 * Thousands of one-pixel columns as one picture. A canvas without a GPU takes 5 µs a rectangle, so that a full lane of merged spans cost
 * more than all the rest of the frame; here a column is a few words of memory, and a lane is drawn at once. Units: device px.
 */
import type { PaintContext } from './paint-context'
import { toBytes, toCss, type Rgb } from './theme'

export interface ColumnPainter {
  /** Starts a picture of so many pixels with its corner at (leftPx, topPx), in CSS px. */
  readonly begin: (leftPx: number, topPx: number, width: number, height: number, dpr: number) => void
  /** The colour of what is filled from now on. */
  readonly ink: (colour: Rgb, alpha: number) => void
  /** Pixels [left, right) × [top, bottom) from the corner; what lies outside is cut. Later ones cover earlier ones. */
  readonly fill: (left: number, right: number, top: number, bottom: number) => void
  /** Draws what was filled since `begin`. */
  readonly end: () => void
}

export class ColumnBitmap implements ColumnPainter {
  readonly #to: Pick<CanvasRenderingContext2D, 'drawImage' | 'imageSmoothingEnabled'>
  #canvas: OffscreenCanvas | null = null
  #context: OffscreenCanvasRenderingContext2D | null = null
  #image: ImageData | null = null
  #pixels = new Uint32Array()
  #corner = { leftPx: 0, topPx: 0, dpr: 1 }
  #width = 0
  #height = 0
  #word = 0
  /** Rows that were filled since `begin`: the others need not be drawn, nor cleared. */
  #firstRow = Infinity
  #endRow = 0

  constructor(to: Pick<CanvasRenderingContext2D, 'drawImage' | 'imageSmoothingEnabled'>) {
    this.#to = to
  }

  begin(leftPx: number, topPx: number, width: number, height: number, dpr: number): void {
    this.#corner = { leftPx, topPx, dpr }
    if (!this.#image || this.#image.width !== width || this.#image.height < height) {
      const rows = Math.max(1, height)
      this.#canvas = new OffscreenCanvas(Math.max(1, width), rows)
      // Written by the processor each frame: it has no business on a GPU.
      this.#context = this.#canvas.getContext('2d', { willReadFrequently: true })
      this.#image = new ImageData(Math.max(1, width), rows)
      this.#pixels = new Uint32Array(this.#image.data.buffer)
    } else if (this.#endRow > 0) this.#pixels.fill(0, this.#firstRow * width, this.#endRow * width)
    this.#width = width
    this.#height = height
    this.#firstRow = Infinity
    this.#endRow = 0
  }

  ink(colour: Rgb, alpha: number): void {
    this.#word = toBytes(colour, alpha)
  }

  fill(left: number, right: number, top: number, bottom: number): void {
    const width = this.#width
    const pixels = this.#pixels
    const word = this.#word
    const from = left < 0 ? 0 : left
    const to = right > width ? width : right
    const first = top < 0 ? 0 : top
    const last = bottom > this.#height ? this.#height : bottom
    if (from >= to || first >= last) return
    if (first < this.#firstRow) this.#firstRow = first
    if (last > this.#endRow) this.#endRow = last
    if (to - from === 1)
      for (let at = first * width + from, end = last * width; at < end; at += width) pixels[at] = word
    else for (let row = first; row < last; row += 1) pixels.fill(word, row * width + from, row * width + to)
  }

  end(): void {
    if (this.#endRow === 0 || !this.#image || !this.#canvas) return
    const width = this.#width
    const first = this.#firstRow
    const height = this.#endRow - first
    this.#context?.putImageData(this.#image, 0, 0, 0, first, width, height)
    const { leftPx, topPx, dpr } = this.#corner
    this.#to.imageSmoothingEnabled = false
    this.#to.drawImage(
      this.#canvas,
      0,
      first,
      width,
      height,
      leftPx,
      topPx + first / dpr,
      width / dpr,
      height / dpr,
    )
  }
}

type Box = readonly [left: number, top: number, width: number, height: number]

/**
 * The same as rectangles, for a context that knows no bitmaps: those of one colour together, so that an SVG holds a path a colour. Where
 * they overlap, the colour that came last for the first time is on top.
 */
export class ColumnRectangles implements ColumnPainter {
  readonly #to: PaintContext
  readonly #boxes = new Map<string, Box[]>()
  #inked: Box[] = []
  #corner = { leftPx: 0, topPx: 0, dpr: 1 }

  constructor(to: PaintContext) {
    this.#to = to
  }

  begin(leftPx: number, topPx: number, _width: number, _height: number, dpr: number): void {
    this.#corner = { leftPx, topPx, dpr }
    this.#boxes.clear()
  }

  ink(colour: Rgb, alpha: number): void {
    const style = toCss(colour, alpha)
    this.#inked = this.#boxes.get(style) ?? []
    this.#boxes.set(style, this.#inked)
  }

  fill(left: number, right: number, top: number, bottom: number): void {
    const { leftPx, topPx, dpr } = this.#corner
    this.#inked.push([leftPx + left / dpr, topPx + top / dpr, (right - left) / dpr, (bottom - top) / dpr])
  }

  end(): void {
    for (const [style, boxes] of this.#boxes) {
      this.#to.fillStyle = style
      for (const box of boxes) this.#to.fillRect(...box)
    }
  }
}
