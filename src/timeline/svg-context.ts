/**
 * A 2D context that writes SVG instead of pixels, so that the picture in a paper is painted by the code that paints the screen.
 * It is as large as what `PaintContext` names. Boxes and strokes of one style that follow each other become one path: a file has far
 * fewer nodes than the picture has bars. Where such boxes overlap, a translucent fill covers them once instead of twice.
 * CSS px; a translation is worked into the numbers. The number of nodes is bounded: what comes after is counted, not written.
 */
import type { PaintContext } from './paint-context'
import { escapeXml, paintAttributes, svgNumber as n } from './svg-text'

/** Text is measured by a real canvas. */
export type Measurer = Pick<CanvasRenderingContext2D, 'font' | 'measureText'>

type Style = CanvasRenderingContext2D['fillStyle']

interface State {
  readonly fillStyle: Style
  readonly strokeStyle: Style
  readonly lineWidth: number
  readonly lineCap: CanvasLineCap
  readonly lineJoin: CanvasLineJoin
  readonly dash: readonly number[]
  readonly font: string
  readonly textAlign: CanvasTextAlign
  readonly textBaseline: CanvasTextBaseline
  readonly x: number
  readonly y: number
  /** Groups that a clip opened since the save. */
  readonly groups: number
}

const ANCHOR: Readonly<Partial<Record<CanvasTextAlign, string>>> = {
  center: 'middle',
  right: 'end',
  end: 'end',
}

const nameOf = (style: Style): string => {
  if (typeof style === 'string') return style
  throw new TypeError('a pattern of pixels has no place in an SVG')
}

export class SvgContext implements PaintContext {
  fillStyle: Style = 'rgb(0 0 0)'
  strokeStyle: Style = 'rgb(0 0 0)'
  lineWidth = 1
  lineCap: CanvasLineCap = 'butt'
  lineJoin: CanvasLineJoin = 'miter'
  font = '10px sans-serif'
  textAlign: CanvasTextAlign = 'start'
  textBaseline: CanvasTextBaseline = 'alphabetic'
  /** Elements written, without groups; and those left out for want of room. */
  nodes = 0
  omitted = 0
  readonly #measurer: Measurer
  readonly #mostNodes: number
  readonly #saved: State[] = []
  readonly #body: string[] = []
  /** By outline: the clips' numbers. */
  readonly #clips = new Map<string, number>()
  #dash: readonly number[] = []
  #x = 0
  #y = 0
  #groups = 0
  #path: string[] = []
  /** The path holds boxes only, which all turn the same way: joined to others they leave no holes. */
  #isBoxes = true
  #pending: { readonly attributes: string; readonly path: string[] } | null = null

  constructor(measurer: Measurer, mostNodes: number) {
    this.#measurer = measurer
    this.#mostNodes = mostNodes
  }

  /** The elements, and the clips that they refer to. */
  finish(): { readonly body: string; readonly clips: string } {
    this.#flush()
    const clips = [...this.#clips].map(
      ([path, index]) => `<clipPath id="clip-${String(index)}"><path d="${path}"/></clipPath>`,
    )
    return { body: this.#body.join('\n'), clips: clips.join('\n') }
  }

  // --- state -------------------------------------------------------------------------------------------------------------------

  save(): void {
    const { fillStyle, strokeStyle, lineWidth, lineCap, lineJoin, font, textAlign, textBaseline } = this
    const [x, y, dash, groups] = [this.#x, this.#y, this.#dash, this.#groups]
    const style = { fillStyle, strokeStyle, lineWidth, lineCap, lineJoin, font, textAlign, textBaseline }
    this.#saved.push({ ...style, x, y, dash, groups })
    this.#groups = 0
  }

  restore(): void {
    const state = this.#saved.pop()
    if (!state) return
    if (this.#groups > 0) {
      this.#flush()
      this.#body.push('</g>'.repeat(this.#groups))
    }
    const { x, y, dash, groups, ...style } = state
    Object.assign(this, style)
    this.#x = x
    this.#y = y
    this.#dash = dash
    this.#groups = groups
  }

  translate(x: number, y: number): void {
    this.#x += x
    this.#y += y
  }

  setLineDash(segments: Iterable<number>): void {
    this.#dash = [...segments]
  }

  // --- paths -------------------------------------------------------------------------------------------------------------------

  beginPath(): void {
    this.#path = []
    this.#isBoxes = true
  }

  closePath(): void {
    this.#path.push('z')
  }

  moveTo(x: number, y: number): void {
    this.#line('M', x, y)
  }

  lineTo(x: number, y: number): void {
    this.#line(this.#path.length === 0 ? 'M' : 'L', x, y)
  }

  bezierCurveTo(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void {
    this.#isBoxes = false
    this.#path.push(`C${[this.#at(x1, y1), this.#at(x2, y2), this.#at(x, y)].join(' ')}`)
  }

  arc(x: number, y: number, radius: number, from: number, to: number): void {
    const point = (angle: number): [number, number] => [
      x + radius * Math.cos(angle),
      y + radius * Math.sin(angle),
    ]
    const turn = Math.min(2 * Math.PI, to - from)
    this.lineTo(...point(from))
    // An arc of a whole turn would end where it begins, and vanish: two halves.
    for (const end of turn > Math.PI ? [from + turn / 2, from + turn] : [from + turn])
      this.#path.push(`A${n(radius)} ${n(radius)} 0 0 1 ${this.#at(...point(end))}`)
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.#path.push(this.#box(x, y, width, height))
  }

  roundRect(x: number, y: number, width: number, height: number, radius = 0): void {
    const r = Math.min(radius, width / 2, height / 2)
    if (!(r > 0)) {
      this.rect(x, y, width, height)
      return
    }
    const corner = (toX: number, toY: number): string => `a${n(r)} ${n(r)} 0 0 1 ${n(toX)} ${n(toY)}`
    const [across, down] = [width - 2 * r, height - 2 * r]
    this.#path.push(
      `M${this.#at(x + r, y)}h${n(across)}${corner(r, r)}v${n(down)}${corner(-r, r)}h${n(-across)}${corner(-r, -r)}v${n(-down)}${corner(r, -r)}z`,
    )
  }

  clip(): void {
    this.#flush()
    const path = this.#path.join('')
    const index = this.#clips.get(path) ?? this.#clips.size + 1
    this.#clips.set(path, index)
    this.#groups += 1
    this.#body.push(`<g clip-path="url(#clip-${String(index)})">`)
  }

  // --- ink ---------------------------------------------------------------------------------------------------------------------

  fill(): void {
    this.#add(paintAttributes('fill', nameOf(this.fillStyle)), this.#path, this.#isBoxes)
  }

  stroke(): void {
    this.#add(this.#strokeAttributes(), this.#path, true)
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    const path = [this.#box(x, y, width, height)]
    this.#add(paintAttributes('fill', nameOf(this.fillStyle)), path, true)
  }

  strokeRect(x: number, y: number, width: number, height: number): void {
    this.#add(this.#strokeAttributes(), [this.#box(x, y, width, height)], true)
  }

  measureText(text: string): TextMetrics {
    this.#measurer.font = this.font
    return this.#measurer.measureText(text)
  }

  /** The width is written down, so that the picture stays whole where the reader has other fonts. */
  fillText(text: string, x: number, y: number): void {
    if (text === '') return
    this.#flush()
    if (!this.#hasRoom()) return
    const { width, fontBoundingBoxAscent, fontBoundingBoxDescent } = this.measureText(text)
    // Few readers know the baseline 'middle' as a canvas means it.
    const drop = this.textBaseline === 'middle' ? (fontBoundingBoxAscent - fontBoundingBoxDescent) / 2 : 0
    const [, weight = '400', size = '10', family = ''] = /^(\d+) ([\d.]+)px (.+)$/.exec(this.font) ?? []
    const anchor = ANCHOR[this.textAlign]
    this.#body.push(
      [
        `<text x="${n(this.#x + x)}" y="${n(this.#y + y + drop)}"`,
        anchor === undefined ? '' : ` text-anchor="${anchor}"`,
        ` textLength="${n(width)}" lengthAdjust="spacingAndGlyphs" font-family="${escapeXml(family)}"`,
        ` font-size="${size}" font-weight="${weight}" ${paintAttributes('fill', nameOf(this.fillStyle))}>`,
        `${escapeXml(text)}</text>`,
      ].join(''),
    )
  }

  // --- parts -------------------------------------------------------------------------------------------------------------------

  #at(x: number, y: number): string {
    return `${n(this.#x + x)} ${n(this.#y + y)}`
  }

  #line(command: 'M' | 'L', x: number, y: number): void {
    // As a canvas does: what has no place is left out.
    if (!Number.isFinite(x + y)) return
    this.#isBoxes = false
    this.#path.push(command + this.#at(x, y))
  }

  #box(x: number, y: number, width: number, height: number): string {
    if (!Number.isFinite(x + y + width + height)) return ''
    const [left, top] = [Math.min(x, x + width), Math.min(y, y + height)]
    const [across, down] = [Math.abs(width), Math.abs(height)]
    return `M${this.#at(left, top)}h${n(across)}v${n(down)}h${n(-across)}z`
  }

  #strokeAttributes(): string {
    const dash = this.#dash.length === 0 ? '' : ` stroke-dasharray="${this.#dash.map(n).join(' ')}"`
    const cap = this.lineCap === 'butt' ? '' : ` stroke-linecap="${this.lineCap}"`
    const join = this.lineJoin === 'miter' ? '' : ` stroke-linejoin="${this.lineJoin}"`
    const colour = paintAttributes('stroke', nameOf(this.strokeStyle))
    return `fill="none" ${colour} stroke-width="${n(this.lineWidth)}"${dash}${cap}${join}`
  }

  #add(attributes: string, path: readonly string[], joins: boolean): void {
    if (path.every((part) => part === '')) return
    if (!joins || this.#pending?.attributes !== attributes) this.#flush()
    if (this.#pending) this.#pending.path.push(...path)
    else this.#pending = { attributes, path: [...path] }
    if (!joins) this.#flush()
  }

  #flush(): void {
    const pending = this.#pending
    this.#pending = null
    if (!pending || !this.#hasRoom()) return
    this.#body.push(`<path d="${pending.path.join('')}" ${pending.attributes}/>`)
  }

  #hasRoom(): boolean {
    if (this.nodes >= this.#mostNodes) this.omitted += 1
    else this.nodes += 1
    return this.omitted === 0
  }
}
