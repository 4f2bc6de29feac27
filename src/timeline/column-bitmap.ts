/**
 * Thousands of one-pixel columns as one picture. A canvas without a GPU takes 5 µs a rectangle, so that a full lane of merged spans cost
 * more than all the rest of the frame; here a column is a few words of memory, and a lane is drawn at once. Units: device px.
 */
import type { PaintContext } from './paint-context'
import { toBytes, toCss, type Rgb } from './theme'

/** Where columns are drawn: on a bitmap, or (for a picture in vectors) as rectangles. */
export interface ColumnTarget {
  /** Pixels [left, right) × [top, bottom), from the corner given to `begin`; what lies outside is cut. Later ones cover earlier ones. */
  readonly fill: (
    left: number,
    right: number,
    top: number,
    bottom: number,
    colour: Rgb,
    alpha: number,
  ) => void
}

export interface ColumnPainter extends ColumnTarget {
  /** Starts a picture of so many pixels with its corner at (leftPx, topPx), in CSS px. */
  readonly begin: (leftPx: number, topPx: number, width: number, height: number, dpr: number) => void
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
  #isEmpty = true

  constructor(to: Pick<CanvasRenderingContext2D, 'drawImage' | 'imageSmoothingEnabled'>) {
    this.#to = to
  }

  begin(leftPx: number, topPx: number, width: number, height: number, dpr: number): void {
    this.#corner = { leftPx, topPx, dpr }
    this.#width = width
    this.#height = height
    this.#isEmpty = true
    if (!this.#image || this.#image.width !== width || this.#image.height < height) {
      const rows = Math.max(1, height)
      this.#canvas = new OffscreenCanvas(Math.max(1, width), rows)
      // Written by the processor each frame: it has no business on a GPU.
      this.#context = this.#canvas.getContext('2d', { willReadFrequently: true })
      this.#image = new ImageData(Math.max(1, width), rows)
      this.#pixels = new Uint32Array(this.#image.data.buffer)
    } else this.#pixels.fill(0, 0, width * height)
  }

  fill(left: number, right: number, top: number, bottom: number, colour: Rgb, alpha: number): void {
    const width = this.#width
    const [from, to] = [Math.max(0, left), Math.min(width, right)]
    const [first, last] = [Math.max(0, top), Math.min(this.#height, bottom)]
    if (from >= to || first >= last) return
    const word = toBytes(colour, alpha)
    this.#isEmpty = false
    if (to - from === 1) for (let row = first; row < last; row += 1) this.#pixels[row * width + from] = word
    else
      for (let row = first; row < last; row += 1)
        this.#pixels.fill(word, row * width + from, row * width + to)
  }

  end(): void {
    if (this.#isEmpty || !this.#image || !this.#canvas) return
    const [width, height] = [this.#width, this.#height]
    this.#context?.putImageData(this.#image, 0, 0, 0, 0, width, height)
    const { leftPx, topPx, dpr } = this.#corner
    this.#to.imageSmoothingEnabled = false
    this.#to.drawImage(this.#canvas, 0, 0, width, height, leftPx, topPx, width / dpr, height / dpr)
  }
}

/**
 * The same as rectangles, for a context that knows no bitmaps: those of one colour together, so that an SVG holds a path a colour. Where
 * they overlap, the colour that came last for the first time is on top.
 */
export class ColumnRectangles implements ColumnPainter {
  readonly #to: PaintContext
  readonly #boxes = new Map<string, (readonly [number, number, number, number])[]>()
  #corner = { leftPx: 0, topPx: 0, dpr: 1 }

  constructor(to: PaintContext) {
    this.#to = to
  }

  begin(leftPx: number, topPx: number, _width: number, _height: number, dpr: number): void {
    this.#corner = { leftPx, topPx, dpr }
    this.#boxes.clear()
  }

  fill(left: number, right: number, top: number, bottom: number, colour: Rgb, alpha: number): void {
    const { leftPx, topPx, dpr } = this.#corner
    const style = toCss(colour, alpha)
    const boxes = this.#boxes.get(style) ?? []
    boxes.push([leftPx + left / dpr, topPx + top / dpr, (right - left) / dpr, (bottom - top) / dpr])
    this.#boxes.set(style, boxes)
  }

  end(): void {
    for (const [style, boxes] of this.#boxes) {
      this.#to.fillStyle = style
      for (const box of boxes) this.#to.fillRect(...box)
    }
  }
}
