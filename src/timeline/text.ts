/** Text on the canvas: widths measured once, and names cut to the room there is. */
const ELLIPSIS = '…'
/** A cut name shorter than this says nothing, and many of them are noise. */
const FEWEST_LETTERS = 7
const TAIL_LETTERS = 3

export class TextRuler {
  readonly #measure: (text: string) => number
  readonly #widths = new Map<string, number>()
  readonly #cut = new Map<string, string[]>()

  /** `measure` gives px for the one font this ruler is for. */
  constructor(measure: (text: string) => number) {
    this.#measure = measure
  }

  width(text: string): number {
    let width = this.#widths.get(text)
    if (width === undefined) {
      width = this.#measure(text)
      this.#widths.set(text, width)
    }
    return width
  }

  /** The text, or its beginning with an ellipsis, or '' where not even that fits. */
  fit(text: string, roomPx: number): string {
    const full = this.width(text)
    if (full <= roomPx) return text
    const letters = Math.floor(((roomPx - this.width(ELLIPSIS)) / full) * text.length)
    if (letters < FEWEST_LETTERS) return ''
    let cuts = this.#cut.get(text)
    if (!cuts) {
      cuts = []
      this.#cut.set(text, cuts)
    }
    return (cuts[letters] ??= text.slice(0, letters).trimEnd() + ELLIPSIS)
  }

  /** Cut in its middle: threads of a pool differ in their last letters. */
  fitMiddle(text: string, roomPx: number): string {
    if (this.width(text) <= roomPx) return text
    const tail = text.slice(-TAIL_LETTERS)
    for (let letters = text.length - TAIL_LETTERS - 1; letters >= 2; letters -= 1) {
      const cut = `${text.slice(0, letters).trimEnd()}${ELLIPSIS}${tail}`
      if (this.width(cut) <= roomPx) return cut
    }
    return this.fit(text, roomPx)
  }

  /** The first of several wordings that fits whole; '' when none does. */
  first(wordings: readonly string[], roomPx: number): string {
    return wordings.find((text) => this.width(text) <= roomPx) ?? ''
  }
}
