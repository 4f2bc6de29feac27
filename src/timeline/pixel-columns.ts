/**
 * Columns of pixels in plain memory: what `ColumnBitmap` draws. Rows of words as ImageData holds
 * them (see toBytes), not premultiplied. Pure. Units: device px.
 */
import { over, toBytes, type Rgb } from './colour'

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

  ink(colour: Rgb, alpha: number): void {
    this.#word = toBytes(colour, alpha)
  }

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
