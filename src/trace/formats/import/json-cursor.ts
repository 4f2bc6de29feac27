/**
 * Walks JSON in its own bytes, value by value, and makes nothing: no objects, no strings.
 * Iterative, so that no nesting is too deep; byte offsets, so that no file is too long for a
 * string. Lenient where files from elsewhere are: a comma before the end, control characters in
 * strings, NaN and Infinity. Inside a value that is passed over only strings and the count of
 * brackets are looked at. Strings and containers that are cut off end in the same lines as whole
 * ones: V8 drops compiled code where that meets a line which has not run before, and the first
 * piece of a file ends after all has been compiled.
 */
export const OK = 0
export const END = 1
/** Not JSON at `at`. */
const BAD = 2
/** The bytes end before the value does. */
export const SHORT = 3
export type Status = typeof OK | typeof END | typeof BAD | typeof SHORT

export const STRING = 0
export const NUMBER = 1
export const OBJECT = 2
export const ARRAY = 3
/** true, false, null, and what some writers put for numbers that JSON has not. */
const LITERAL = 4

export const QUOTE = 0x22
const BACKSLASH = 0x5c
export const COMMA = 0x2c
const COLON = 0x3a
export const OPEN_BRACE = 0x7b
export const OPEN_BRACKET = 0x5b
export const CLOSE_BRACE = 0x7d
export const CLOSE_BRACKET = 0x5d
/** The bit that a bracket lacks of its brace. */
const BRACE_OF_BRACKET = 0x20
/** Between these two are digits, the point and the slash. */
const MINUS = 0x2d
const NINE = 0x39
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39
export const isSpace = (byte: number): boolean =>
  byte <= 0x20 && (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09)

const LITERALS = new Set(['true', 'false', 'null', 'NaN', 'Infinity'])

export class JsonCursor {
  bytes: Uint8Array
  end: number
  at: number
  /** The key last read, between its quotes. */
  keyStart = 0
  keyEnd = 0
  /** The value last read; of a string what is between its quotes. */
  type: number = LITERAL
  start = 0
  stop = 0
  /** Nothing of the object or list that it is in has been read. */
  isFirst = true

  constructor(bytes: Uint8Array, at = 0, end = bytes.length) {
    this.bytes = bytes
    this.at = at
    this.end = end
  }

  /** To other bytes: `at` is that of an opening bracket. */
  reset(at: number, end: number): this {
    this.at = at
    this.end = end
    return this.enter()
  }

  /** The next byte that is not white space, which `at` is then at; -1 at the end. */
  peek(): number {
    const { bytes, end } = this
    let at = this.at
    while (at < end && isSpace(bytes[at] as number)) at += 1
    this.at = at
    return at < end ? (bytes[at] as number) : -1
  }

  /** Past the opening bracket that `at` is at. */
  enter(): this {
    this.at += 1
    this.isFirst = true
    return this
  }

  /** Reads `"key":`; `value` is next. */
  nextKey(): Status {
    const status = this.#next(CLOSE_BRACE)
    if (status !== OK) return status
    if (this.bytes[this.at] !== QUOTE) return BAD
    const read = this.#string()
    if (read !== OK) return read
    this.keyStart = this.start
    this.keyEnd = this.stop
    const next = this.peek()
    if (next === -1) return SHORT
    if (next !== COLON) return BAD
    this.at += 1
    return OK
  }

  /** To the next element's first byte; `value` reads it. */
  nextElement(): Status {
    return this.#next(CLOSE_BRACKET)
  }

  #next(close: number): Status {
    let next = this.peek()
    if (next === -1) return SHORT
    if (!this.isFirst && next === COMMA) {
      this.at += 1
      next = this.peek()
      if (next === -1) return SHORT
    } else if (!this.isFirst && next !== close) return BAD
    if (next !== close) {
      this.isFirst = false
      return OK
    }
    this.at += 1
    return END
  }

  value(): Status {
    const first = this.peek()
    if (first === -1) return SHORT
    if (first === QUOTE) {
      this.type = STRING
      return this.#string()
    }
    if (first === OPEN_BRACE || first === OPEN_BRACKET) return this.#container(first)
    return this.#token(first)
  }

  #string(): Status {
    const { bytes, end } = this
    let at = this.at + 1
    this.start = at
    for (; at < end; at += 1) {
      const byte = bytes[at] as number
      if (byte === QUOTE) break
      if (byte === BACKSLASH) at += 1
    }
    const isWhole = at < end
    this.stop = at
    this.at = isWhole ? at + 1 : end
    return isWhole ? OK : SHORT
  }

  #container(first: number): Status {
    const { bytes, end } = this
    this.type = first === OPEN_BRACE ? OBJECT : ARRAY
    this.start = this.at
    let depth = 0
    let { at } = this
    for (; at < end; at += 1) {
      const byte = bytes[at] as number
      if (byte === QUOTE) {
        for (at += 1; at < end && bytes[at] !== QUOTE; at += 1) if (bytes[at] === BACKSLASH) at += 1
      } else if (byte >= OPEN_BRACKET) {
        const brace = byte | BRACE_OF_BRACKET
        if (brace === OPEN_BRACE) depth += 1
        else if (brace === CLOSE_BRACE) depth -= 1
        if (depth === 0) break
      }
    }
    const isWhole = at < end
    this.stop = this.at = isWhole ? at + 1 : end
    return isWhole ? OK : SHORT
  }

  #token(first: number): Status {
    const { bytes, end } = this
    let at = this.at
    this.start = at
    for (; at < end; at += 1) {
      const byte = bytes[at] as number
      if (byte >= MINUS && byte <= NINE) continue
      if (byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || isSpace(byte)) break
    }
    if (at === end) return SHORT
    this.stop = at
    this.type = isDigit(first) || first === MINUS ? NUMBER : LITERAL
    if (this.type === LITERAL && (at - this.start > 8 || !LITERALS.has(latin(bytes, this.start, at))))
      return BAD
    this.at = at
    return OK
  }
}

/** Short stretches of ASCII: numbers and names of literals. */
function latin(bytes: Uint8Array, start: number, end: number): string {
  let text = ''
  for (let at = start; at < end; at += 1) text += String.fromCharCode(bytes[at] as number)
  return text
}

export const ascii = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

export function equals(bytes: Uint8Array, start: number, end: number, wanted: Uint8Array): boolean {
  if (end - start !== wanted.length) return false
  for (let at = 0; at < wanted.length; at += 1) if (bytes[start + at] !== wanted[at]) return false
  return true
}

/** More digits than any number needs. */
const MAX_NUMBER_LENGTH = 400

/** Their sums are exact. */
const MAX_DIGITS = 15

/** NaN for what is no number. */
export function numberIn(bytes: Uint8Array, start: number, end: number): number {
  if (end <= start || end - start > MAX_NUMBER_LENGTH) return Number.NaN
  let whole = 0
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] as number
    if (!isDigit(byte) || at - start >= MAX_DIGITS) return Number(latin(bytes, start, end))
    whole = whole * 10 + byte - 0x30
  }
  return whole
}
