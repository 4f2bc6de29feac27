/**
 * Keys by their length and first bytes, told without a string: most arguments of an event are none
 * of those that are wanted.
 */
import { ascii, equals } from './json-cursor'

interface Row {
  readonly bytes: Uint8Array
  readonly number: number
}

export class KeyTable {
  /** By length. */
  readonly #rows: (readonly Row[] | undefined)[] = []

  /** Their numbers are those of their places, from 1 on. */
  constructor(keys: readonly string[]) {
    for (const [index, key] of keys.entries())
      this.#rows[key.length] = [...(this.#rows[key.length] ?? []), { bytes: ascii(key), number: index + 1 }]
  }

  /** 0: it is none of the table's. */
  find(bytes: Uint8Array, start: number, end: number): number {
    const rows = this.#rows[end - start]
    if (rows === undefined) return 0
    for (const row of rows) if (equals(bytes, start, end, row.bytes)) return row.number
    return 0
  }
}
