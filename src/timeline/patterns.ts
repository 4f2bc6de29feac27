/**
 * The tiles behind the marks: dots, fine vertical lines, diagonal hatch. One CanvasPattern a colour
 * and tile, made once a theme and pixel ratio. Tiles are anchored to time, not to the screen: a pan
 * carries them along with their span.
 */
import { madeOnce } from '../base/lists'
import { toCss, type Rgb } from './colour'

type TileName = 'dots' | 'lines' | 'hatch'
/**
 * Tile edge in CSS px; lines repeat every 3 px, as fine as a 1x screen can show without shimmer.
 */
const TILE_PX: Readonly<Record<TileName, number>> = { dots: 5, lines: 3, hatch: 6 }

/** A tile's edge, device px, at a pixel ratio. */
export const tileEdge = (name: TileName, dpr: number): number => Math.max(2, Math.round(TILE_PX[name] * dpr))

function drawTile(context: CanvasRenderingContext2D, name: TileName, colour: string, edge: number): void {
  context.fillStyle = colour
  context.strokeStyle = colour
  if (name === 'dots') {
    context.beginPath()
    context.arc(edge / 2, edge / 2, edge * 0.2, 0, 2 * Math.PI)
    context.fill()
  } else if (name === 'lines') {
    context.fillRect(0, 0, edge / 3, edge)
  } else {
    context.lineWidth = edge * 0.22
    context.beginPath()
    // Two strokes beyond the corners make the diagonal meet itself at the tile's seams.
    for (const offset of [-edge, 0, edge]) {
      context.moveTo(offset - 1, edge + 1)
      context.lineTo(offset + edge + 1, -1)
    }
    context.stroke()
  }
}

export class Patterns {
  readonly #dpr: number
  readonly #made = new Map<string, CanvasPattern | null>()
  #offsetPx = 0

  constructor(dpr: number) {
    this.#dpr = dpr
  }

  /** Sets the place of time 0, CSS px; call once a frame before `get`. */
  anchor(zeroPx: number): void {
    this.#offsetPx = zeroPx
  }

  /** A fill style; the plain colour where the browser cannot make a pattern. */
  get(name: TileName, colour: Rgb): CanvasPattern | string {
    const css = toCss(colour)
    const key = `${name} ${css}`
    const edge = tileEdge(name, this.#dpr)
    const pattern = madeOnce(this.#made, key, () => {
      const canvas = document.createElement('canvas')
      canvas.width = edge
      canvas.height = edge
      const tile = canvas.getContext('2d')
      if (tile) drawTile(tile, name, css, edge)
      return tile?.createPattern(canvas, 'repeat') ?? null
    })
    if (!pattern) return css
    pattern.setTransform({ a: 1 / this.#dpr, d: 1 / this.#dpr, e: this.#offsetPx % (edge / this.#dpr), f: 0 })
    return pattern
  }
}
