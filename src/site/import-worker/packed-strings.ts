/**
 * Many strings as few: a list of 10^6 costs the receiving thread a long stop, a handful of long strings and a column of ends does not.
 * Cut apart again in turns, or one by one as they are asked for.
 */
import { giveWay, type YieldIfDue } from '../../base/give-way'

export interface PackedStrings {
  /** Each holds CHUNK strings, the last one what is left; as bytes: of UTF-8. */
  readonly texts: readonly (string | Uint8Array<ArrayBuffer>)[]
  /** Where each string ends within its text, in UTF-16 code units. */
  readonly ends: Uint32Array<ArrayBuffer>
}

const CHUNK = 4096

/** `stringOf` is asked for one after the other, and no more than CHUNK of them are there at once. */
function packed<Text>(count: number, stringOf: (index: number) => string, as: (text: string) => Text) {
  const texts: Text[] = []
  const ends = new Uint32Array(count)
  for (let first = 0; first < count; first += CHUNK) {
    giveWay()
    const own: string[] = []
    let end = 0
    for (let index = first; index < Math.min(count, first + CHUNK); index += 1) {
      const text = stringOf(index)
      own.push(text)
      end += text.length
      ends[index] = end
    }
    texts.push(as(own.join('')))
  }
  return { texts, ends }
}

/** As they are, half a surrogate pair too. */
export const packStrings = (strings: readonly string[]): PackedStrings =>
  packed(
    strings.length,
    (index) => strings[index] ?? '',
    (text) => text,
  )

/**
 * Sentences: one sign beyond Latin-1, as ’ is, and a string takes two bytes for each of its characters; UTF-8 takes one. Half a surrogate
 * pair comes back as U+FFFD. `transfer`: the bytes, to be moved.
 */
export function packSentences(
  count: number,
  sentenceOf: (index: number) => string,
): { readonly packed: PackedStrings; readonly transfer: readonly ArrayBuffer[] } {
  const encoder = new TextEncoder()
  const { texts, ends } = packed(count, sentenceOf, (text) => encoder.encode(text))
  return { packed: { texts, ends }, transfer: [ends.buffer, ...texts.map(({ buffer }) => buffer)] }
}

// A byte order mark that a text begins with is part of it.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

const decoded = (text: string | Uint8Array<ArrayBuffer>): string =>
  typeof text === 'string' ? text : decoder.decode(text)

/** One at a time; the chunk that was read last is kept. */
export function stringReader({ texts, ends }: PackedStrings): (index: number) => string {
  let [read, text] = [-1, '']
  return (index) => {
    const chunk = Math.floor(index / CHUNK)
    if (chunk !== read) [read, text] = [chunk, decoded(texts[chunk] ?? '')]
    return text.slice(index % CHUNK === 0 ? 0 : ends[index - 1], ends[index])
  }
}

export async function unpackStrings(
  { texts, ends }: PackedStrings,
  yieldIfDue: YieldIfDue,
): Promise<string[]> {
  const strings: string[] = []
  for (const [chunk, packedText] of texts.entries()) {
    const text = decoded(packedText)
    const first = chunk * CHUNK
    const last = Math.min(first + CHUNK, ends.length)
    for (let index = first, begin = 0; index < last; index += 1) {
      const end = ends[index] ?? begin
      strings.push(text.slice(begin, end))
      begin = end
    }
    await yieldIfDue()
  }
  return strings
}
