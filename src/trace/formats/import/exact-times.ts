/**
 * Times that a double does not hold, read from a file's bytes in two parts, without a string for
 * each.
 */
import { numberIn } from './json-cursor'

const MINUS = 0x2d
const POINT = 0x2e
/** Sure to stay below 2^53. */
const SAFE_DIGITS = 15
const LATER_DIGITS = [100, 10, 1]

/**
 * A time of a Trace Event file: µs in decimal, often with more digits than a double holds
 * (1700000000000000.123). Whole µs and the rest in ns, so that nothing is lost before the file's
 * first time is subtracted: whole µs are exact up to 2^53, the first three decimals are whole ns.
 */
export class MicroTime {
  /** NaN where the text is no finite number. */
  wholeUs = Number.NaN
  restNs = 0

  read(bytes: Uint8Array, start: number, end: number): void {
    const isNegative = bytes[start] === MINUS
    let at = isNegative ? start + 1 : start
    const first = at
    let whole = 0
    for (; at < end; at += 1) {
      const digit = (bytes[at] as number) - 0x30
      if (digit < 0 || digit > 9) break
      whole = whole * 10 + digit
    }
    if (at === first || (at - first > SAFE_DIGITS && whole > Number.MAX_SAFE_INTEGER)) {
      this.#readAny(bytes, start, end)
      return
    }
    let restNs = 0
    if (at < end && bytes[at] === POINT) {
      let scale = 0.1
      const firstDecimal = at + 1
      for (at = firstDecimal; at < end; at += 1) {
        const digit = (bytes[at] as number) - 0x30
        if (digit < 0 || digit > 9) break
        const place = at - firstDecimal
        if (place < 3) restNs += digit * (LATER_DIGITS[place] as number)
        else {
          restNs += digit * scale
          scale /= 10
        }
      }
    }
    if (at < end) {
      this.#readAny(bytes, start, end) // an exponent, or no number
      return
    }
    this.wholeUs = isNegative ? -whole : whole
    this.restNs = isNegative ? -restNs : restNs
  }

  #readAny(bytes: Uint8Array, start: number, end: number): void {
    const valueUs = numberIn(bytes, start, end)
    this.wholeUs = Number.isFinite(valueUs) ? Math.trunc(valueUs) : Number.NaN
    this.restNs = Number.isFinite(valueUs) ? (valueUs - this.wholeUs) * 1e3 : 0
  }
}

/**
 * A timestamp as a device gives it: u64 in decimal, which no JSON number holds. `high` · 10^9 +
 * `low`, both whole.
 */
export interface RawTick {
  readonly high: number
  readonly low: number
}

const LOW_DIGITS = 9
const LOW = 10 ** LOW_DIGITS
/** 2^64 has twenty. */
const MAX_DIGITS = 20

/** Null where it is no whole number of at most twenty digits. */
export function rawTickIn(bytes: Uint8Array, start: number, stop: number): RawTick | null {
  if (stop <= start || stop - start > MAX_DIGITS) return null
  let [high, low] = [0, 0]
  for (let at = start; at < stop; at += 1) {
    const digit = (bytes[at] ?? 0) - 0x30
    if (!(digit >= 0 && digit <= 9)) return null
    if (at < stop - LOW_DIGITS) high = high * 10 + digit
    else low = low * 10 + digit
  }
  return { high, low }
}

export const rawTickOf = (text: string): RawTick | null =>
  rawTickIn(new TextEncoder().encode(text), 0, text.length)

/** Ticks from `origin`: exact, or so far off that no fit holds it. */
export const ticksFrom = (origin: RawTick, { high, low }: RawTick): number =>
  (high - origin.high) * LOW + (low - origin.low)
