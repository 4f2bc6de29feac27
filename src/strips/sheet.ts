/**
 * A page of boxes and lines of text, for the picture of a verdict, which leaves the site.
 */
import { ink, type Edge, type Face, type Hue, type Ink, type Mark } from './marks'

/** In px; where the faces are not known, rather too wide. */
export type WidthOf = (text: string, face: Face) => number

/**
 * A name from anybody's file may hold marks that turn the direction of what follows, or that no
 * file of text may hold.
 */
const plainText = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cs}\p{Bidi_Control}\uFFFE\uFFFF]/gu, ' ')

const LINE_HEIGHT = 1.35
/** A name in a file may be of any length; no more than this is ever shown. */
const MOST_MARKS = 200

export class Sheet {
  readonly marks: Mark[] = []
  readonly widthOf: WidthOf
  readonly width: number
  readonly margin: number
  /** Bottom of the last line; the next one goes below. */
  y: number

  constructor(widthOf: WidthOf, width: number, margin: number) {
    this.widthOf = widthOf
    this.width = width
    this.margin = margin
    this.y = margin
  }

  text(text: string, x: number, y: number, face: Face, hue: Hue): void {
    const mark = { shape: 'text', part: 'label', anchor: 'start' } as const
    this.marks.push({ ...mark, text: plainText(text), x, y, face, fill: ink(hue) })
  }

  box(x: number, y: number, width: number, height: number, fill: Ink | null, edge?: Edge): void {
    const mark = { shape: 'box', part: 'bar' } as const
    this.marks.push({ ...mark, x, y, width, height, fill, ...(edge ? { edge } : {}) })
  }

  /** Lines from here on down, in words; of more than `most` the last is cut. */
  write(text: string, x: number, face: Face, hue: Hue, most: number): void {
    for (const each of this.#wrapped(text, face, this.width - this.margin - x, most)) {
      this.y += face.size * LINE_HEIGHT
      this.text(each, x, this.y, face, hue)
    }
  }

  /**
   * One line; where it is too long its beginning goes: of a file of Python the end tells more than
   * the folders before it.
   */
  writeEnd(text: string, x: number, face: Face, hue: Hue): void {
    this.y += face.size * LINE_HEIGHT
    this.text(this.#fitted(text, face, this.width - this.margin - x, 'begin'), x, this.y, face, hue)
  }

  #wrapped(text: string, face: Face, width: number, most: number): readonly string[] {
    const lines = this.#lines(text, face, width)
    const kept = lines.length > most ? [...lines.slice(0, most - 1), lines.slice(most - 1).join(' ')] : lines
    return kept.map((each) => this.#fitted(each, face, width, 'end'))
  }

  #lines(text: string, face: Face, width: number): readonly string[] {
    const lines: string[] = []
    for (const word of text.split(/\s+/).filter(Boolean)) {
      const last = lines.at(-1)
      const longer = last === undefined ? word : `${last} ${word}`
      if (last !== undefined && this.widthOf(longer, face) <= width) lines[lines.length - 1] = longer
      else lines.push(word)
    }
    return lines
  }

  #fitted(text: string, face: Face, width: number, cut: 'begin' | 'end'): string {
    if (this.widthOf(text, face) <= width) return text
    const marks = Array.from(text)
    let kept = Math.min(marks.length, MOST_MARKS)
    const cutText = () =>
      cut === 'begin' ? `…${marks.slice(-kept).join('')}` : `${marks.slice(0, kept).join('')}…`
    while (kept > 1 && this.widthOf(cutText(), face) > width) kept -= 1
    return cutText()
  }
}
