/**
 * Writes the bytes of a saved run, as laid out in file-layout.ts, which reads them. Apart from it,
 * because what writes a run in a page of someone else is to be small: this needs neither the checks
 * nor their library.
 */
import { COLUMN_TYPES, type Column, type ColumnType } from './schema'
import { assert } from '../base/fault'

export interface RawTable {
  readonly length: number
  readonly columns: Readonly<Record<string, Column>>
}
export interface RawFile {
  readonly header: Readonly<Record<string, unknown>>
  readonly tables: Readonly<Record<string, RawTable>>
}

export const MAGIC = [0x89, 0x48, 0x44, 0x4c, 0x0d, 0x0a, 0x1a, 0x0a] // \x89 H D L \r \n \x1a \n
export const FIXED_BYTES = 16
export const align8 = (offset: number): number => Math.ceil(offset / 8) * 8
/** Typed arrays are in the machine's own order, and all machines with WebGPU are little-endian. */
export const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1

export function writeFile(version: number, file: RawFile): Uint8Array<ArrayBuffer> {
  assert(isLittleEndian, 'columns are written in little-endian order')
  const parts: { readonly offset: number; readonly column: Column }[] = []
  let end = 0
  const tables = Object.fromEntries(
    Object.entries(file.tables).map(([tableName, table]) => {
      const columns = Object.fromEntries(
        Object.entries(table.columns).map(([name, whole]) => {
          const offset = align8(end)
          const differences = deltaEncode(whole)
          const column = differences ?? whole
          end = offset + column.byteLength
          parts.push({ offset, column })
          return [name, { type: typeOf(column), offset, ...(differences ? { differences: true } : {}) }]
        }),
      )
      return [tableName, { length: table.length, columns }]
    }),
  )
  const header = new TextEncoder().encode(JSON.stringify({ header: file.header, tables }))
  const base = align8(FIXED_BYTES + header.length)
  const bytes = new Uint8Array(base + end)
  bytes.set(MAGIC)
  const view = new DataView(bytes.buffer)
  view.setUint32(8, version, true)
  view.setUint32(12, header.length, true)
  bytes.set(header, FIXED_BYTES)
  for (const { offset, column } of parts)
    bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), base + offset)
  return bytes
}

function typeOf(column: Column): ColumnType {
  for (const [type, constructor] of Object.entries(COLUMN_TYPES))
    if (column instanceof constructor) return type as ColumnType // a key of COLUMN_TYPES
  throw new Error('a column of a type that no file holds')
}

/** Up to this, the difference of two numbers is exact too. */
const LARGEST = 2 ** 52

const isExact = (value: number): boolean =>
  Number.isInteger(value) && Math.abs(value) <= LARGEST && !Object.is(value, -0)

/**
 * A column as differences between rows: of times and indices that grow, few differ, and gzip finds
 * them again and again. Null where bytes are few anyway, or the sum would not give the
 * same numbers back. @internal
 */
export function deltaEncode(column: Column): Column | null {
  if (column.BYTES_PER_ELEMENT < 4) return null
  if (column instanceof Float64Array && !column.every(isExact)) return null
  const differences = column.slice()
  // 32-bit columns wrap round, here and in the sum.
  for (let row = 1; row < column.length; row += 1)
    differences[row] = (column[row] ?? 0) - (column[row - 1] ?? 0)
  return differences
}

/** Undoes `deltaEncode`, in place. */
export function deltaDecode(column: Column): void {
  for (let row = 1; row < column.length; row += 1) column[row] = (column[row] ?? 0) + (column[row - 1] ?? 0)
}
