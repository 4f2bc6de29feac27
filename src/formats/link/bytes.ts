/** Bytes written and read one number after the other: variable-length whole numbers, small ones in one byte. Reading past the end throws a RangeError. */

/** Whole numbers up to here, and the differences of two of them, are exact. */
export const LARGEST_WHOLE = 2 ** 51

/** Of either sign: 0, −1, 1, −2, … as 0, 1, 2, 3, … */
export const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value)
export const unzigzag = (told: number): number => (told % 2 === 1 ? -(told + 1) / 2 : told / 2)

export class ByteWriter {
  #bytes = new Uint8Array(1024)
  #length = 0

  byte(value: number): void {
    if (this.#length === this.#bytes.length) {
      const grown = new Uint8Array(this.#bytes.length * 2)
      grown.set(this.#bytes)
      this.#bytes = grown
    }
    this.#bytes[this.#length] = value
    this.#length += 1
  }

  all(bytes: Uint8Array): void {
    for (const value of bytes) this.byte(value)
  }

  /** 0 to 2^53. */
  count(value: number): void {
    let rest = value
    while (rest >= 128) {
      this.byte(128 + (rest % 128))
      rest = Math.floor(rest / 128)
    }
    this.byte(rest)
  }

  signed(value: number): void {
    this.count(zigzag(value))
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length)
  }
}

export class ByteReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get left(): number {
    return this.#bytes.length - this.#at
  }

  byte(): number {
    const value = this.#bytes[this.#at]
    if (value === undefined) throw new RangeError('it ends too early')
    this.#at += 1
    return value
  }

  all(length: number): Uint8Array {
    if (length > this.left) throw new RangeError('it ends too early')
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  count(): number {
    let [value, scale] = [0, 1]
    for (;;) {
      const next = this.byte()
      value += (next % 128) * scale
      if (next < 128) return value
      scale *= 128
      if (scale > 2 ** 56) throw new RangeError('a number is too long')
    }
  }

  signed(): number {
    return unzigzag(this.count())
  }
}
