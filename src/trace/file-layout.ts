/**
 * The bytes of a saved run, below any meaning: magic, version, a JSON header, and tables of raw
 * little-endian columns, which are viewed in place; of whole numbers the columns are differences
 * (file-writer.ts), since a gzipped file is then a third as large. Numbers in the header that
 * point at bytes are checked; what the rest says is the codec's business.
 *
 *   0   8 bytes  magic         (a byte above 127 and both line ends: transfers that mangle text are noticed)
 *   8   u32      version
 *   12  u32      header bytes  JSON in UTF-8: { header, tables: { name: { length, columns: { name: { type, offset, differences? } } } } }
 *   16  …        header, then padding to a multiple of 8, then the columns; offsets count from there
 */
import { COLUMN_TYPES, type Column, type ColumnType } from './schema'
import * as v from 'valibot'
import { fail, succeed, type Result } from '../base/fault'
import { count, dictionary, number, record } from '../base/shape'
import { check, Budget, LIMITS, OverBudget } from './budget'
import {
  deltaDecode,
  align8,
  FIXED_BYTES,
  isLittleEndian,
  MAGIC,
  type RawFile,
  type RawTable,
} from './file-writer'

export interface BadFile {
  readonly code: 'not-a-run' | 'too-new' | 'too-old' | 'damaged' | 'too-large'
  /** One sentence for a person. */
  readonly message: string
}
export const damaged = (what: string): Result<never, BadFile> =>
  fail({ code: 'damaged', message: `The file is damaged: ${what}.` })

const headShape = v.object({ header: record, tables: record })
const tableShape = v.object({
  length: count,
  columns: dictionary(
    v.object({
      type: v.picklist(Object.keys(COLUMN_TYPES) as ColumnType[]), // its own keys
      offset: number,
      differences: v.exactOptional(v.unknown()),
    }),
  ),
})
type TableShape = v.InferOutput<typeof tableShape>

/**
 * @param isGiven the bytes are the reader's own, to be written in
 * @throws OverBudget, before there is room for any of it
 */
export function readFile(
  bytes: Uint8Array,
  budget: Budget = new Budget(),
  isGiven = false,
): Result<{ readonly version: number; readonly file: RawFile }, BadFile> {
  if (bytes.length < MAGIC.length || MAGIC.some((byte, index) => bytes[index] !== byte))
    return fail({ code: 'not-a-run', message: 'This is not a run saved by the Host/Device Lab.' })
  if (!isLittleEndian) return damaged('its byte order is not this machine’s')
  if (bytes.length < FIXED_BYTES) return damaged('it ends within its first 16 bytes')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const version = view.getUint32(8, true)
  const headerBytes = view.getUint32(12, true)
  if (FIXED_BYTES + headerBytes > bytes.length) return damaged('it ends within its header')
  check('headerBytes', headerBytes)
  // A copy, because the buffer may be shared, which decoders refuse.
  const parsed = parseJson(bytes.slice(FIXED_BYTES, FIXED_BYTES + headerBytes))
  if (!v.is(headShape, parsed)) return damaged('its header cannot be read')
  const base = align8(FIXED_BYTES + headerBytes)
  const described = Object.entries(parsed.tables)
  // Each counter has a table; what else has one is a handful.
  if (described.length > LIMITS.counters.most + OTHER_TABLES)
    throw new OverBudget('counters', described.length - OTHER_TABLES)
  // All of them, before there is room for one: columns that lie on each other would be copied, or
  // gone through, any number of times.
  let claimedBytes = 0
  const sound: [string, TableShape][] = []
  for (const [name, description] of described) {
    const size = v.is(tableShape, description) && sizeOf(description)
    if (!size) return damaged(`its table ${sayName(name)} is none`)
    claimedBytes += size.bytes
    if (claimedBytes > bytes.length - base) return damaged('its tables hold more than it has bytes')
    budget.spend('rows', size.rows)
    sound.push([name, description])
  }
  const tables: Record<string, RawTable> = {}
  for (const [name, description] of sound) {
    const table = readTable(bytes, base, description, isGiven)
    if (!table) return damaged(`its table ${sayName(name)} does not lie within it`)
    tables[name] = table
  }
  return succeed({ version, file: { header: parsed.header, tables } })
}

const OTHER_TABLES = 16
/** Columns of one table; the widest has 14. */
const MOST_COLUMNS = 64
const MOST_NAME_SHOWN = 40
const sayName = (name: string): string => `‘${name.slice(0, MOST_NAME_SHOWN)}’`

/** Rows without a column would cost nothing and be any number. */
function sizeOf({ length, columns }: TableShape): { readonly rows: number; readonly bytes: number } | null {
  const types = Object.values(columns).map(({ type }) => type)
  if (types.length > MOST_COLUMNS || (types.length === 0 && length > 0)) return null
  const rowBytes = types.reduce((sum, type) => sum + COLUMN_TYPES[type].BYTES_PER_ELEMENT, 0)
  return { rows: length, bytes: length * rowBytes }
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined // no JSON value is undefined: the caller says that the header cannot be read
  }
}

/**
 * Views where the bytes are aligned, copies where they are not, or are differences of bytes that
 * were not given; null when anything points outside.
 */
function readTable(
  bytes: Uint8Array,
  base: number,
  { length, columns: described }: TableShape,
  isGiven: boolean,
): RawTable | null {
  const columns: Record<string, Column> = {}
  for (const [name, column] of Object.entries(described)) {
    if (!v.is(count, column.offset)) return null
    const constructor = COLUMN_TYPES[column.type]
    const start = base + column.offset
    const size = length * constructor.BYTES_PER_ELEMENT
    if (start + size > bytes.length) return null
    const from = bytes.byteOffset + start
    const differs = column.differences === true
    const found =
      from % constructor.BYTES_PER_ELEMENT === 0 && (!differs || isGiven)
        ? new constructor(bytes.buffer as ArrayBuffer, from, length) // shared memory views as well
        : new constructor(new Uint8Array(bytes.subarray(start, start + size)).buffer)
    if (differs) deltaDecode(found)
    columns[name] = found
  }
  return { length, columns }
}
