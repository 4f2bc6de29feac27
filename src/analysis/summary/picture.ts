/**
 * A summary as a picture: one painter for the page, which puts its marks on a canvas, and for `analyze --picture`, which writes them as SVG
 * (picture-svg.ts). Boxes and lines of text are all it has.
 */
import { percentText } from '../../base/figures'
import type { SummarisedDevice, Summary } from './summary'
import type { TimePart } from './time-parts'

const WIDTH = 1200
const MARGIN = 56
const ROOM = WIDTH - 2 * MARGIN
/** Room of a cause's words, beside its share. */
const INDENT = 150
const BAR_HEIGHT = 36
/** Of more, the picture says how many there are: it is to be read at a glance. */
const MOST_DEVICES = 3

type Hue =
  | 'surface'
  | 'surface-2'
  | 'text'
  | 'text-2'
  | 'device'
  | 'transfer'
  | 'wait'
  | 'collective'
  | 'idle'

export interface Face {
  readonly size: number
  readonly isBold: boolean
  readonly isMono: boolean
}

/** `colour`: '#rrggbb'. */
type Mark =
  | {
      readonly type: 'box'
      readonly x: number
      readonly y: number
      readonly width: number
      readonly height: number
      readonly colour: string
      readonly opacity: number
    }
  /** From `x` on, its baseline at `y`. */
  | {
      readonly type: 'text'
      readonly text: string
      readonly x: number
      readonly y: number
      readonly face: Face
      readonly colour: string
    }

export interface SummaryPicture {
  readonly width: number
  readonly height: number
  readonly marks: readonly Mark[]
}

export interface PictureOptions {
  /** Of the page's theme. */
  readonly colourOf: (name: Hue) => string
  /** In px; where the faces are not known, rather too wide. */
  readonly widthOf: (text: string, face: Face) => number
  /** Whose picture it is, and where it comes from: its last line. */
  readonly from: string
}

const faceOf = (size: number, ...styles: readonly ('bold' | 'mono')[]): Face => ({
  size,
  isBold: styles.includes('bold'),
  isMono: styles.includes('mono'),
})
const FACES = {
  file: faceOf(24, 'bold'),
  verdict: faceOf(32, 'bold'),
  figure: faceOf(60, 'bold'),
  cause: faceOf(26, 'bold'),
  source: faceOf(20, 'mono'),
  error: faceOf(24, 'bold'),
  small: faceOf(20),
} as const
const LINE_HEIGHT = 1.35

/** Kernels solid, idle pale, copies and waiting hatched, what nobody knows an outline: distinguished without colour too. */
const LOOKS: Readonly<Record<TimePart['part'], Look>> = {
  workUs: { hue: 'device', opacity: 1, pitch: 0 },
  copyUs: { hue: 'transfer', opacity: 0.35, pitch: 4 },
  waitUs: { hue: 'wait', opacity: 0.25, pitch: 8 },
  collectiveUs: { hue: 'collective', opacity: 0.45, pitch: 0 },
  idleUs: { hue: 'idle', opacity: 0.28, pitch: 0 },
  unrecordedUs: { hue: 'text-2', opacity: 0, pitch: 0 },
}
interface Look {
  readonly hue: Hue
  readonly opacity: number
  /** Of its stripes, px; 0 none. */
  readonly pitch: number
}

/** A name from anybody's file may hold marks that turn the direction of what follows, or that no file of text may hold. */
const plainText = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cs}\p{Bidi_Control}\uFFFE\uFFFF]/gu, ' ')

class Sheet {
  readonly #marks: Mark[] = []
  readonly #options: PictureOptions
  /** Of the last line; what comes next goes below. */
  y = MARGIN

  constructor(options: PictureOptions) {
    this.#options = options
  }

  text(text: string, x: number, y: number, face: Face, hue: Hue): void {
    this.#marks.push({ type: 'text', text: plainText(text), x, y, face, colour: this.#options.colourOf(hue) })
  }

  /** Lines from here on down, in words; of more than `most` the last is cut. */
  write(text: string, x: number, face: Face, hue: Hue, most: number): void {
    for (const line of this.#wrapped(text, face, WIDTH - MARGIN - x, most)) {
      this.y += face.size * LINE_HEIGHT
      this.text(line, x, this.y, face, hue)
    }
  }

  /** One line; where it is too long its beginning goes: of a file of Python the end tells more than the folders before it. */
  writeEnd(text: string, x: number, face: Face, hue: Hue): void {
    this.y += face.size * LINE_HEIGHT
    this.text(this.#fitted(text, face, WIDTH - MARGIN - x, 'begin'), x, this.y, face, hue)
  }

  widthOf(text: string, face: Face): number {
    return this.#options.widthOf(text, face)
  }

  box(x: number, y: number, width: number, height: number, hue: Hue, opacity = 1): void {
    this.#marks.push({ type: 'box', x, y, width, height, colour: this.#options.colourOf(hue), opacity })
  }

  part(part: TimePart['part'], x: number, y: number, width: number, height: number): void {
    const { hue, opacity, pitch } = LOOKS[part]
    if (opacity > 0) this.box(x, y, width, height, hue, opacity)
    if (pitch > 0)
      for (let at = 0; at < width; at += pitch) this.box(x + at, y, Math.min(2, width - at), height, hue)
    if (opacity === 1 || width < 3) return
    this.box(x, y, width, 1, hue)
    this.box(x, y + height - 1, width, 1, hue)
    this.box(x, y, 1, height, hue)
    this.box(x + width - 1, y, 1, height, hue)
  }

  rule(): void {
    this.y += 34
    this.box(MARGIN, this.y, ROOM, 1, 'text-2', 0.35)
  }

  end(): SummaryPicture {
    const height = Math.ceil(this.y + MARGIN)
    const colour = this.#options.colourOf('surface')
    return {
      width: WIDTH,
      height,
      marks: [{ type: 'box', x: 0, y: 0, width: WIDTH, height, colour, opacity: 1 }, ...this.#marks],
    }
  }

  #fitted(text: string, face: Face, width: number, cut: 'begin' | 'end'): string {
    if (this.widthOf(text, face) <= width) return text
    const marks = Array.from(text)
    // A name in a file may be of any length; no more than this is ever shown.
    let kept = Math.min(marks.length, MOST_MARKS)
    const cutText = () =>
      cut === 'begin' ? `…${marks.slice(-kept).join('')}` : `${marks.slice(0, kept).join('')}…`
    while (kept > 1 && this.widthOf(cutText(), face) > width) kept -= 1
    return cutText()
  }

  #wrapped(text: string, face: Face, width: number, most: number): readonly string[] {
    const lines: string[] = []
    for (const word of text.split(/\s+/).filter(Boolean)) {
      const last = lines.at(-1)
      const longer = last === undefined ? word : `${last} ${word}`
      if (last !== undefined && (lines.length === most || this.widthOf(longer, face) <= width))
        lines[lines.length - 1] = longer
      else lines.push(word)
    }
    return lines.map((line) => this.#fitted(line, face, width, 'end'))
  }
}
const MOST_MARKS = 200

const ratioText = (value: number | null): string => (value === null ? 'unknown' : percentText(value))

function drawBar(sheet: Sheet, parts: readonly TimePart[]): void {
  const top = sheet.y + 20
  let x = MARGIN
  for (const { part, width } of parts) {
    sheet.part(part, x, top, width * ROOM, BAR_HEIGHT)
    x += width * ROOM
  }
  sheet.y = top + BAR_HEIGHT + 30
  x = MARGIN
  for (const { part, label, share } of parts) {
    const words = `${label} ${percentText(share)}`
    const width = 26 + sheet.widthOf(words, FACES.small) + 24
    if (x > MARGIN && x + width > WIDTH - MARGIN) {
      x = MARGIN
      sheet.y += 30
    }
    sheet.part(part, x, sheet.y - 15, 16, 16)
    sheet.text(words, x + 26, sheet.y, FACES.small, 'text-2')
    x += width
  }
}

function drawDevice(sheet: Sheet, device: SummarisedDevice): void {
  const { id, name, sentence, busyRatio, workRatio, parts, causes, error } = device
  sheet.write(name === '' ? id : `${name}, ${id}`, MARGIN, FACES.small, 'text-2', 1)
  if (sentence !== '') {
    sheet.y += 6
    sheet.write(sentence, MARGIN, FACES.verdict, 'text', 3)
  }
  sheet.y += 76
  const figures = [
    ['busy', busyRatio],
    ['work', workRatio],
  ] as const
  figures.forEach(([label, value], index) => {
    const x = MARGIN + index * 360
    sheet.text(ratioText(value), x, sheet.y, FACES.figure, 'text')
    sheet.text(label, x, sheet.y + 30, FACES.small, 'text-2')
  })
  sheet.y += 34
  if (parts.length > 0) drawBar(sheet, parts)
  const left = MARGIN + INDENT
  for (const { share, title, source, evidence } of causes) {
    sheet.y += 18
    sheet.text(percentText(share), MARGIN, sheet.y + FACES.cause.size * LINE_HEIGHT, FACES.cause, 'text')
    sheet.write(title, left, FACES.cause, 'text', 2)
    if (source !== null) sheet.writeEnd(source, left, FACES.source, 'text')
    sheet.write(evidence, left, FACES.small, 'text-2', 3)
  }
  if (error !== '') {
    sheet.y += 18
    sheet.write(error, MARGIN, FACES.error, 'text', 3)
  }
}

const costOf = ({ causes }: SummarisedDevice): number => causes.reduce((sum, { share }) => sum + share, 0)

export function summaryPicture({ together, files }: Summary, options: PictureOptions): SummaryPicture {
  const sheet = new Sheet(options)
  // Whose folders they lie in is nobody's business but the reader's.
  sheet.writeEnd(
    files.map(({ file }) => file.split(/[\\/]/).at(-1) ?? '').join(', '),
    MARGIN,
    FACES.file,
    'text',
  )
  if (together !== '') {
    sheet.y += 6
    sheet.write(together, MARGIN, FACES.verdict, 'text', 4)
  }
  // The device that loses most comes first, as on the page.
  const devices = files.flatMap((file) => file.devices).toSorted((a, b) => costOf(b) - costOf(a))
  devices.slice(0, MOST_DEVICES).forEach((device, index) => {
    if (index > 0 || together !== '') sheet.rule()
    sheet.y += 10
    drawDevice(sheet, device)
  })
  const more = devices.length - MOST_DEVICES
  if (devices.length === 0)
    sheet.write('No lane of a device is in this file.', MARGIN, FACES.verdict, 'text', 2)
  if (more > 0)
    sheet.write(
      `and ${String(more)} more ${more === 1 ? 'device' : 'devices'}`,
      MARGIN,
      FACES.small,
      'text-2',
      1,
    )
  sheet.rule()
  sheet.y += 8
  sheet.write(options.from, MARGIN, FACES.small, 'text-2', 1)
  return sheet.end()
}
