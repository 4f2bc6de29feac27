/** Tables of a trace as few bytes, for recordings in the repository: columns as differences of whole numbers, which repeat much. */
import type { Column, TableOf, TableSpec } from '../../trace/columns'
import { COLUMN_TYPES } from '../../trace/columns'

/** Differences over `unit`, as zigzag varints; or, where a column holds what is no whole number (NaN: none), the numbers themselves. */
type PackedColumn = { readonly unit: number; readonly deltas: Uint8Array } | { readonly values: Float64Array }
export interface PackedTable {
  readonly length: number
  readonly columns: Readonly<Record<string, PackedColumn>>
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))

function packColumn(column: Column): PackedColumn {
  // A host clock's nanoseconds are whole but for the noise of a product.
  const whole = Float64Array.from(column, Math.round)
  if (!whole.every(Number.isSafeInteger)) return { values: Float64Array.from(column) }
  const deltas = whole.map((value, row) => value - (whole[row - 1] ?? 0))
  const unit = deltas.reduce((common, delta) => gcd(common, Math.abs(delta)), 0) || 1
  const bytes: number[] = []
  for (const delta of deltas) {
    // Bitwise operators would cut off at 32 bits.
    let rest = delta < 0 ? (-2 * delta) / unit - 1 : (2 * delta) / unit
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push(128 + (rest % 128))
    bytes.push(rest)
  }
  return { unit, deltas: Uint8Array.from(bytes) }
}

function unpackColumn(packed: PackedColumn, into: Column): void {
  if ('values' in packed) {
    into.set(packed.values)
    return
  }
  let [value, row, rest, place] = [0, 0, 0, 1]
  for (const byte of packed.deltas) {
    rest += (byte % 128) * place
    place *= 128
    if (byte >= 128) continue
    value += packed.unit * (rest % 2 === 0 ? rest / 2 : -(rest + 1) / 2)
    into[row] = value
    row += 1
    ;[rest, place] = [0, 1]
  }
}

const columnsOf = (table: object): Readonly<Record<string, Column>> =>
  table as Readonly<Record<string, Column>> // asked only for the columns of its spec

export const packTable = <Spec extends TableSpec>(spec: Spec, table: TableOf<Spec>): PackedTable => ({
  length: table.length,
  columns: Object.fromEntries(
    Object.keys(spec).map((name) => [name, packColumn(columnsOf(table)[name] ?? new Uint8Array())]),
  ),
})

/** @throws Error where a column is missing. */
export function unpackTable<Spec extends TableSpec>(
  spec: Spec,
  { length, columns }: PackedTable,
): TableOf<Spec> {
  const table = Object.entries(spec).map(([name, type]) => {
    const packed = columns[name]
    if (!packed) throw new Error(`The column '${name}' is missing.`)
    const column = new COLUMN_TYPES[type](length)
    unpackColumn(packed, column)
    return [name, column] as const
  })
  return { ...Object.fromEntries(table), length } as unknown as TableOf<Spec> // every column of the spec, of its type
}
