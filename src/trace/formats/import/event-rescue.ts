/**
 * Where the list of events goes on after one that is not JSON: writers exist that do not escape the
 * quotes in a name. The next event is the next object, after the comma behind another's end, that
 * is JSON and has a phase; behind the last event it is the list's end.
 */
import {
  ascii,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  END,
  equals,
  isSpace,
  JsonCursor,
  OK,
  OPEN_BRACE,
  QUOTE,
} from './json-cursor'
import type { FileWindow } from './file-window'

interface NextEvent {
  readonly at: number
  /** No event: `at` is the closing bracket of the list. */
  readonly isEnd: boolean
  /** How many events were passed over: each has one key of a phase. */
  readonly lost: number
}
/** More of the file decides it. */
export const UNDECIDED = 'undecided'

/** No event is longer; what is taken for one by mistake ends here. */
const MOST_EVENT_BYTES = 2 ** 20
/** Bytes looked at in all, for each byte of the file: a file made of faults costs no more. */
const MOST_LOOKS = 16
const PHASE = ascii('ph')
const PHASE_KEY = ascii('"ph"')

export class EventRescue {
  readonly #window: FileWindow
  readonly #cursor: JsonCursor
  #looks = 0

  constructor(window: FileWindow) {
    this.#window = window
    this.#cursor = new JsonCursor(window.bytes)
  }

  /** `from`: where the event that is not JSON begins. Null: nothing more is there. */
  nextEvent(from: number): NextEvent | null | typeof UNDECIDED {
    const { bytes, length, size, isLast } = this.#window
    this.#cursor.bytes = bytes
    const before = this.#looks
    let [end, lost, lostBeforeEnd] = [-1, 0, 0]
    let at = from
    for (; at < length && this.#looks < MOST_LOOKS * size; at += 1) {
      // A longer event than is here may begin anywhere.
      if (!isLast && at + MOST_EVENT_BYTES > length) {
        this.#looks = before
        return UNDECIDED
      }
      if (bytes[at] === QUOTE && equals(bytes, at, at + PHASE_KEY.length, PHASE_KEY)) lost += 1
      if (bytes[at] !== CLOSE_BRACE) continue
      const next = this.#skipSpace(at + 1)
      if (next >= length) continue
      if (bytes[next] === CLOSE_BRACKET) [end, lostBeforeEnd] = [next, lost]
      if (bytes[next] !== COMMA) continue
      const event = this.#skipSpace(next + 1)
      const key = this.#skipSpace(event + 1)
      if (key >= length || bytes[event] !== OPEN_BRACE || bytes[key] !== QUOTE) continue
      if (this.#isEvent(event)) {
        this.#looks += at - from
        return { at: event, isEnd: false, lost: Math.max(1, lost) }
      }
    }
    this.#looks += at - from
    return end < 0 ? null : { at: end, isEnd: true, lost: Math.max(1, lostBeforeEnd) }
  }

  #skipSpace(from: number): number {
    let at = from
    const { bytes, length } = this.#window
    while (at < length && isSpace(bytes[at] as number)) at += 1
    return at
  }

  #isEvent(at: number): boolean {
    const { bytes, length } = this.#window
    const cursor = this.#cursor.reset(at, Math.min(length, at + MOST_EVENT_BYTES))
    let hasPhase = false
    let status = cursor.nextKey()
    while (status === OK) {
      hasPhase ||= equals(bytes, cursor.keyStart, cursor.keyEnd, PHASE)
      status = cursor.value()
      if (status === OK) status = cursor.nextKey()
    }
    this.#looks += cursor.at - at
    return status === END && hasPhase
  }
}
