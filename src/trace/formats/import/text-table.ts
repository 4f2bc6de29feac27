/**
 * Texts of a file by number: each distinct run of bytes once, in a copy, decoded once. A name that
 * comes a million times costs a hash and a comparison. Number 0 is the empty text. What is inside
 * the quotes counts: "7" and 7 are the same text. The hash (FNV-1a, folded at each byte, its bits
 * mixed once more by MurmurHash3's end) begins elsewhere for each table, so that nobody can write a
 * file whose names all collide.
 */
import { numberIn } from './json-cursor'
import { rawTickIn, type RawTick } from './exact-times'

/** Few, so that the table grows before V8 compiles this: see json-cursor.ts. */
const FIRST_SLOTS = 64
const FIRST_BYTES = 2 ** 9
/**
 * Longer texts are cut, with an ellipsis: no view shows more, and names from outside may be of any
 * length.
 */
const MAX_CHARACTERS = 2000
const BACKSLASH = 0x5c
const decoder = new TextDecoder()

export class TextTable {
  #bytes = new Uint8Array(FIRST_BYTES)
  #slots = new Int32Array(FIRST_SLOTS).fill(-1)
  /** Where each ends in `#bytes`; it begins where the one before ends. */
  #ends = new Uint32Array(FIRST_SLOTS / 2)
  #hashes = new Int32Array(FIRST_SLOTS / 2)
  readonly #decoded = new Map([[0, '']])
  readonly #seed: number
  /** Of texts; the empty one is there. */
  size = 1
  /** Slots looked at that held another text: for tests. */
  collisions = 0

  /** `seed`: 32 bits; for tests. */
  constructor(seed = Math.floor(Math.random() * 2 ** 32)) {
    this.#seed = seed
  }

  intern(bytes: Uint8Array, start: number, end: number): number {
    if (end <= start) return 0
    let hash = this.#seed
    for (let at = start; at < end; at += 1) {
      hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193)
      // FNV alone: whether two names collide would hang on the lowest eight bits of the seed, and
      // be right for one table in 256.
      hash ^= hash >>> 15
    }
    hash = mixed(hash)
    const mask = this.#slots.length - 1
    let slot = hash & mask
    for (;;) {
      const index = this.#slots[slot] as number
      if (index === -1) break
      if (this.#hashes[index] === hash && this.#isSame(index, bytes, start, end)) return index
      this.collisions += 1
      slot = (slot + 1) & mask
    }
    const index = this.#push(bytes.subarray(start, end), hash)
    this.#slots[slot] = index
    if (index * 2 > this.#slots.length) this.#grow()
    return index
  }

  /** A text that is not in the file. */
  add(text: string): number {
    const index = this.#push(NO_BYTES, 0)
    this.#decoded.set(index, text)
    return index
  }

  text(index: number): string {
    let text = this.#decoded.get(index)
    if (text === undefined) {
      text = this.#decode(this.#ends[index - 1] ?? 0, this.#ends[index] ?? 0)
      this.#decoded.set(index, text)
    }
    return text
  }

  /** Answers about a text by its number; each question is asked once. */
  asked<Answer>(ask: (text: string) => Answer): (index: number) => Answer {
    const known = new Map<number, Answer>()
    return (index) => {
      let answer = known.get(index)
      if (answer === undefined) known.set(index, (answer = ask(this.text(index))))
      return answer
    }
  }

  /** NaN for what is no number. */
  number(index: number): number {
    return numberIn(this.#bytes, this.#ends[index - 1] ?? 0, this.#ends[index] ?? 0)
  }

  /** As a device's timestamp; null where it is none. */
  tick(index: number): RawTick | null {
    return rawTickIn(this.#bytes, this.#ends[index - 1] ?? 0, this.#ends[index] ?? 0)
  }

  #isSame(index: number, bytes: Uint8Array, start: number, end: number): boolean {
    const own = this.#bytes
    const known = this.#ends[index - 1] as number
    if ((this.#ends[index] as number) - known !== end - start) return false
    for (let at = 0; at < end - start; at += 1) if (own[known + at] !== bytes[start + at]) return false
    return true
  }

  #push(bytes: Uint8Array, hash: number): number {
    const index = this.size
    const start = this.#ends[index - 1] as number
    const end = start + bytes.length
    if (end > this.#bytes.length) this.#bytes = grown(this.#bytes, Math.max(end, 1.5 * this.#bytes.length))
    if (index === this.#ends.length) {
      this.#ends = grown(this.#ends, 1.5 * index)
      this.#hashes = grown(this.#hashes, 1.5 * index)
    }
    this.#bytes.set(bytes, start)
    this.#ends[index] = end
    this.#hashes[index] = hash
    this.size = index + 1
    return index
  }

  #grow(): void {
    this.#slots = new Int32Array(this.#slots.length * 2).fill(-1)
    const mask = this.#slots.length - 1
    for (let index = 1; index < this.size; index += 1) {
      if (this.#ends[index] === this.#ends[index - 1]) continue // not of the file
      const hash = this.#hashes[index] as number
      let slot = hash & mask
      while (this.#slots[slot] !== -1) slot = (slot + 1) & mask
      this.#slots[slot] = index
    }
  }

  #decode(start: number, end: number): string {
    const isLong = end - start > MAX_CHARACTERS
    const bytes = this.#bytes.subarray(start, isLong ? start + MAX_CHARACTERS : end)
    let text = decoder.decode(bytes)
    if (bytes.includes(BACKSLASH)) text = unescaped(text)
    return isLong ? `${text}…` : text
  }
}

const NO_BYTES = new Uint8Array()

/** In an array of its own. */
export function grown<Column extends Uint8Array | Uint32Array | Int32Array>(
  from: Column,
  length: number,
): Column {
  const column = new (from.constructor as new (length: number) => Column)(Math.ceil(length))
  column.set(from)
  return column
}

/** Of each bit of the hash something in each bit of the slot. */
function mixed(hash: number): number {
  let bits = hash
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return bits ^ (bits >>> 16)
}

/** As JSON reads it; escapes that JSON does not know stay as they are. */
const unescaped = (text: string): string =>
  text.replace(/\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))/g, (_, code: string | undefined, letter: string) =>
    code === undefined ? (ESCAPES[letter] ?? letter) : String.fromCharCode(parseInt(code, 16)),
  )
const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
