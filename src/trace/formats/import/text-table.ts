/**
 * Texts of a file by number: each distinct run of bytes once, decoded once. A name that comes a
 * million times costs a hash and a comparison. Number 0 is the empty text. What is inside the
 * quotes counts: "7" and 7 are the same text. The hash (FNV-1a, folded at each byte, its bits mixed
 * once more by MurmurHash3's end) begins elsewhere for each table, so that nobody can write a file
 * whose names all collide.
 */
const FIRST_SLOTS = 1024
/**
 * Longer texts are cut, with an ellipsis: no view shows more, and names from outside may be of any
 * length.
 */
const MAX_CHARACTERS = 2000
const BACKSLASH = 0x5c
const decoder = new TextDecoder()

export class TextTable {
  readonly #bytes: Uint8Array
  #slots = new Int32Array(FIRST_SLOTS).fill(-1)
  #starts: number[] = [0]
  #ends: number[] = [0]
  #hashes: number[] = [0]
  readonly #decoded: (string | undefined)[] = ['']
  readonly #seed: number
  /** Slots looked at that held another text: for tests. */
  collisions = 0

  /** `seed`: 32 bits; for tests. */
  constructor(bytes: Uint8Array, seed = Math.floor(Math.random() * 2 ** 32)) {
    this.#bytes = bytes
    this.#seed = seed
  }

  get size(): number {
    return this.#starts.length
  }

  intern(start: number, end: number): number {
    if (end <= start) return 0
    const bytes = this.#bytes
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
      if (this.#hashes[index] === hash && this.#isSame(index, start, end)) return index
      this.collisions += 1
      slot = (slot + 1) & mask
    }
    const index = this.#starts.push(start) - 1
    this.#ends.push(end)
    this.#hashes.push(hash)
    this.#slots[slot] = index
    if (index * 2 > this.#slots.length) this.#grow()
    return index
  }

  /** A text that is not in the file. */
  add(text: string): number {
    const index = this.#starts.push(0) - 1
    this.#ends.push(0)
    this.#hashes.push(0)
    this.#decoded[index] = text
    return index
  }

  text(index: number): string {
    return (this.#decoded[index] ??= this.#decode(this.#starts[index] ?? 0, this.#ends[index] ?? 0))
  }

  #isSame(index: number, start: number, end: number): boolean {
    const bytes = this.#bytes
    const known = this.#starts[index] as number
    if ((this.#ends[index] as number) - known !== end - start) return false
    for (let at = 0; at < end - start; at += 1) if (bytes[known + at] !== bytes[start + at]) return false
    return true
  }

  #grow(): void {
    this.#slots = new Int32Array(this.#slots.length * 4).fill(-1)
    const mask = this.#slots.length - 1
    for (let index = 1; index < this.#starts.length; index += 1) {
      if (this.#ends[index] === 0) continue // not of the file
      const hash = this.#hashes[index] as number
      let slot = hash & mask
      while (this.#slots[slot] !== -1) slot = (slot + 1) & mask
      this.#slots[slot] = index
    }
  }

  #decode(start: number, end: number): string {
    const isLong = end - start > MAX_CHARACTERS
    // A copy, because the bytes may be shared, which the decoder refuses.
    const bytes = this.#bytes.slice(start, isLong ? start + MAX_CHARACTERS : end)
    let text = decoder.decode(bytes)
    if (bytes.includes(BACKSLASH)) text = unescaped(text)
    return isLong ? `${text}…` : text
  }
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
