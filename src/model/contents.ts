/**
 * What stands in a buffer, in words of 4 bytes, worked out when it is read: a product of 2048 × 2048 is not multiplied to time it, and 64 of
 * its entries are right all the same. A snapshot stays what it was, whatever is written afterwards.
 */
export type WordAt = (word: number) => number

interface Written {
  readonly from: number
  readonly to: number
  /** As u32 bits. */
  readonly at: WordAt
  /** The same as data, where it is there. */
  readonly data?: Uint32Array
  readonly product?: Product
}

/** A product that was added so many times (kernels.ts): the next one of the same matrices only counts. */
export interface Product {
  readonly key: string
  readonly of: readonly object[]
  readonly times: number
  readonly before: WordAt
  /** Entries of the product that were worked out. */
  readonly dots: Map<number, number>
}

export class Contents {
  #written: readonly Written[] = []

  write(written: Written): void {
    const { from, to } = written
    this.#written = [...this.#written.filter((older) => older.from < from || older.to > to), written]
  }

  writeData(from: number, data: Uint32Array): void {
    this.write({ from, to: from + data.length, at: (word) => data[word - from] ?? 0, data })
  }

  /** Equal as an object to an earlier one where nothing was written since. */
  get version(): object {
    return this.#written
  }

  get lastProduct(): Product | undefined {
    return this.#written.at(-1)?.product
  }

  snapshot(): WordAt {
    const written = this.#written
    return (word) => {
      for (let index = written.length - 1; index >= 0; index -= 1) {
        const each = written[index]
        if (each && word >= each.from && word < each.to) return each.at(word)
      }
      return 0
    }
  }

  /** Words from `from` on. */
  readInto(words: Uint32Array, from: number): void {
    for (const { from: start, to, at, data } of this.#written) {
      const [first, end] = [Math.max(start, from), Math.min(to, from + words.length)]
      if (end <= first) continue
      if (data) words.set(data.subarray(first - start, end - start), first - from)
      else for (let word = first; word < end; word += 1) words[word - from] = at(word)
    }
  }
}

const scratch = new DataView(new ArrayBuffer(4))
export function floatOf(bits: number): number {
  scratch.setUint32(0, bits)
  return scratch.getFloat32(0)
}
export function bitsOf(value: number): number {
  scratch.setFloat32(0, value)
  return scratch.getUint32(0)
}
