/**
 * Where the notes of a trace stand on the strip under the axis: one flag a note, cut to the room there is; flags that would stand on each
 * other are joined and counted. Pure. CSS px from the canvas's left; a note's text is anybody's, and is only ever drawn as text.
 */
import type { Annotation } from '../trace/schema'
import { nsToPx, type Scale } from './scale'

export interface NoteFlag {
  /** Indices into `trace.annotations`, in order of their begin. */
  readonly notes: readonly number[]
  readonly leftPx: number
  readonly widthPx: number
  /** Extent of all its notes; both edges are one where it is of a moment. */
  readonly fromPx: number
  readonly toPx: number
  readonly text: string
}

export interface TextFit {
  readonly width: (text: string) => number
  /** The text cut to the room, or ''. */
  readonly fit: (text: string, roomPx: number) => string
}

const WIDEST_PX = 180
/** A flag without a word still takes a hand's breadth. */
const NARROWEST_PX = 18
const PADDING_PX = 7
const GAP_PX = 3

const words = (notes: readonly number[], all: readonly Annotation[]): string =>
  notes.length === 1 ? oneLine(all[notes[0] ?? -1]?.text ?? '') : `${notes.length} notes`

/** A flag has one line, and direction marks of a text end with it. */
const oneLine = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(line) ? `\u2068${line}\u2069` : line
}

interface Draft {
  notes: number[]
  fromPx: number
  toPx: number
}

/** Flags of the notes that reach into the view, left to right. `notes` is in order of begin, as the trace keeps it. */
export function noteFlags(all: readonly Annotation[], scale: Scale, ruler: TextFit): readonly NoteFlag[] {
  const inView = all.flatMap(({ startNs, endNs }, note): Draft[] =>
    endNs < scale.view.startNs || startNs > scale.view.endNs
      ? []
      : [{ notes: [note], fromPx: nsToPx(scale, startNs), toPx: nsToPx(scale, endNs) }],
  )
  const leftOf = ({ fromPx }: Draft): number =>
    Math.min(Math.max(fromPx, scale.leftPx + 1), scale.rightPx - NARROWEST_PX - 1)
  const joined: Draft[] = []
  for (const draft of inView) {
    const last = joined.at(-1)
    if (last && leftOf(draft) < leftOf(last) + narrowest(last, ruler) + GAP_PX) {
      last.notes.push(...draft.notes)
      last.toPx = Math.max(last.toPx, draft.toPx)
    } else {
      joined.push(draft)
    }
  }
  return joined.map((draft, index) => {
    const leftPx = leftOf(draft)
    const next = joined[index + 1]
    const room = Math.min((next ? leftOf(next) : scale.rightPx) - GAP_PX - leftPx, WIDEST_PX)
    const text = ruler.fit(words(draft.notes, all), room - 2 * PADDING_PX)
    const widthPx = Math.min(
      Math.max(NARROWEST_PX, text === '' ? 0 : ruler.width(text) + 2 * PADDING_PX),
      Math.max(NARROWEST_PX, room),
    )
    return { ...draft, leftPx, widthPx, text }
  })
}

/** What a flag must have before the next may stand beside it: joined ones their count. */
const narrowest = ({ notes }: Draft, ruler: TextFit): number =>
  notes.length === 1 ? NARROWEST_PX : ruler.width(`${notes.length} notes`) + 2 * PADDING_PX

export const flagAt = (flags: readonly NoteFlag[], xPx: number): NoteFlag | null =>
  flags.find(({ leftPx, widthPx }) => xPx >= leftPx - 2 && xPx <= leftPx + widthPx + 2) ?? null
