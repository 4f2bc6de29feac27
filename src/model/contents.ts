/**
 * Contents of a buffer, in words of 4 bytes, computed when they are read: a product of 2048 × 2048
 * is not multiplied to time it, and 64 of its entries are right all the same. Copies are
 * references. A snapshot keeps its contents, whatever is written afterwards.
 */
type WordAt = (word: number) => number

/** Words that do not change. */
export interface Source {
  /** Those of the same name are equal. */
  readonly name: () => string
  /** The word as u32 bits. */
  readonly at: WordAt
  /** Sums of the columns, where the first `count` words are a matrix of f32. */
  readonly columnSums?: ((count: number) => Float64Array | null) | undefined
  /** The same, many at once, from word `first` on; left out: one after the other. */
  readonly read?: ((into: Uint32Array, first: number) => void) | undefined
}

interface Written extends Source {
  readonly from: number
  readonly to: number
}

let names = 0
/** Equal to no other. */
function newName(): () => string {
  names += 1
  const name = `#${String(names)}`
  return () => name
}

export const sourceOf = (data: Uint32Array): Source => ({
  name: newName(),
  at: (word) => data[word] ?? 0,
  read: (into, first) => {
    into.set(data.subarray(first, first + into.length))
  },
})

export class Contents {
  #written: readonly Written[] = []

  write(written: Omit<Written, 'name'> & Partial<Pick<Written, 'name'>>): void {
    const { from, to } = written
    const kept = this.#written.filter((older) => older.from < from || older.to > to)
    this.#written = [...kept, { name: newName(), ...written }]
  }

  /** `count` words of a source, from its word `first` on, stand from word `from` on. */
  copy(from: number, count: number, source: Source, first: number): void {
    const { at, read, name } = source
    const shift = first - from
    this.write({
      name: () => (first === 0 && from === 0 ? name() : `${name()}@${String(shift)}`),
      from,
      to: from + count,
      at: (word) => at(word + shift),
      read:
        read &&
        ((into, word) => {
          read(into, word + shift)
        }),
    })
  }

  writeData(from: number, data: Uint32Array): void {
    this.copy(from, data.length, sourceOf(data), 0)
  }

  /** The last write. */
  get last(): Source | undefined {
    return this.#written.at(-1)
  }

  snapshot(): Source {
    const written = this.#written
    const last = written.at(-1)
    return {
      name: () => written.map(({ from, to, name }) => `${String(from)}-${String(to)} ${name()}`).join(', '),
      columnSums: (count) =>
        last && last.from === 0 && count <= last.to ? (last.columnSums?.(count) ?? null) : null,
      at: (word) => {
        if (last && word >= last.from && word < last.to) return last.at(word)
        return written.findLast(({ from, to }) => word >= from && word < to)?.at(word) ?? 0
      },
      read: (into, first) => {
        for (const { from, to, at, read } of written) {
          const [start, end] = [Math.max(from, first), Math.min(to, first + into.length)]
          if (end <= start) continue
          const part = into.subarray(start - first, end - first)
          if (read) read(part, start)
          else for (let word = start; word < end; word += 1) part[word - start] = at(word)
        }
      },
    }
  }
}

const floats = new Float32Array(1)
const bits = new Uint32Array(floats.buffer)
export function floatOf(word: number): number {
  bits[0] = word
  return floats[0] ?? 0
}
