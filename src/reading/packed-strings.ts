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

export function packStrings(strings: readonly string[]): PackedStrings {
  const texts: string[] = []
  const ends = new Uint32Array(strings.length)
  for (let first = 0; first < strings.length; first += CHUNK) {
    const own = strings.slice(first, first + CHUNK)
    texts.push(own.join(''))
    let end = 0
    for (const [index, { length }] of own.entries()) {
      end += length
      ends[first + index] = end
    }
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
