/** The tiles of `patterns.ts` as SVG patterns: the same drawing, by the same code, as vectors. */
import { drawTile, tileEdge, type TileName, type Tiles } from './patterns'
import { SvgContext, type Measurer } from './svg-context'
import { svgNumber } from './svg-text'
import { toCss, type Rgb } from './colour'

export class SvgTiles implements Tiles {
  readonly #measurer: Measurer
  readonly #dpr: number
  readonly #made = new Map<string, string>()
  #offsetPx = 0

  constructor(measurer: Measurer, dpr: number) {
    this.#measurer = measurer
    this.#dpr = dpr
  }

  anchor = (zeroPx: number): void => {
    this.#offsetPx = zeroPx
  }

  get = (name: TileName, colour: Rgb): string => {
    const css = toCss(colour)
    const key = `${name} ${css} ${String(this.#offsetPx)}`
    const id = `tile-${String([...this.#made.keys()].indexOf(key) + 1 || this.#made.size + 1)}`
    if (!this.#made.has(key)) this.#made.set(key, this.#pattern(id, name, css))
    return `url(#${id})`
  }

  /** All that were asked for. */
  finish(): string {
    return [...this.#made.values()].join('\n')
  }

  #pattern(id: string, name: TileName, css: string): string {
    const edge = tileEdge(name, this.#dpr)
    const tile = new SvgContext(this.#measurer, Infinity)
    drawTile(tile, name, css, edge)
    const scale = 1 / this.#dpr
    const transform = `translate(${svgNumber(this.#offsetPx % (edge * scale))} 0) scale(${svgNumber(scale)})`
    const size = `width="${String(edge)}" height="${String(edge)}"`
    return `<pattern id="${id}" patternUnits="userSpaceOnUse" ${size} patternTransform="${transform}">${tile.finish().body}</pattern>`
  }
}
