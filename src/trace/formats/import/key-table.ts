/**
 * Keys by their length and first bytes, told without a string: most arguments of an event are none
 * of those that are wanted.
 */
import { ascii, equals } from './json-cursor'

interface Row<What> {
  readonly bytes: Uint8Array
  readonly what: What
}

export class KeyTable<What> {
  /** By length. */
  readonly #rows: (readonly Row<What>[] | undefined)[] = []

  constructor(keys: readonly (readonly [string, What])[]) {
    for (const [key, what] of keys)
      this.#rows[key.length] = [...(this.#rows[key.length] ?? []), { bytes: ascii(key), what }]
  }

  /** Null: it is none of the table's. */
  find(bytes: Uint8Array, start: number, end: number): What | null {
    const rows = this.#rows[end - start]
    if (rows === undefined) return null
    for (const row of rows) if (equals(bytes, start, end, row.bytes)) return row.what
    return null
  }
}
