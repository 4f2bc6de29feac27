/**
 * Many strings as few: a list of 10^6 costs the receiving thread a long stop, a handful of long strings and a column of ends does not.
 * Cut apart again in turns.
 */
import type { Turns } from '../base/give-way'

export interface PackedStrings {
  /** Each holds CHUNK strings, the last one what is left. */
  readonly texts: readonly string[]
  /** Where each string ends within its text. */
  readonly ends: Uint32Array<ArrayBuffer>
}

const CHUNK = 4096

export const packStrings = (strings: readonly string[]): PackedStrings =>
  packStringsOf(strings.length, (index) => strings[index] ?? '')

/** `stringOf` is asked for one after the other, and no more than CHUNK of them are there at once. */
export function packStringsOf(count: number, stringOf: (index: number) => string): PackedStrings {
  const texts: string[] = []
  const ends = new Uint32Array(count)
  for (let first = 0; first < count; first += CHUNK) {
    const own: string[] = []
    let end = 0
    for (let index = first; index < Math.min(count, first + CHUNK); index += 1) {
      const text = stringOf(index)
      own.push(text)
      end += text.length
      ends[index] = end
    }
    texts.push(own.join(''))
  }
  return { texts, ends }
}

export async function unpackStrings({ texts, ends }: PackedStrings, turns: Turns): Promise<string[]> {
  const strings: string[] = []
  for (const [chunk, text] of texts.entries()) {
    const first = chunk * CHUNK
    const last = Math.min(first + CHUNK, ends.length)
    for (let index = first, begin = 0; index < last; index += 1) {
      const end = ends[index] ?? begin
      strings.push(text.slice(begin, end))
      begin = end
    }
    await turns.next()
  }
  return strings
}
