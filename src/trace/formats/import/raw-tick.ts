/**
 * Timestamps as a device gives them: u64 in decimal, which no JSON number holds. Read from the
 * file's bytes, without a string for each.
 */

/** `high` · 10^9 + `low`, both whole. */
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
