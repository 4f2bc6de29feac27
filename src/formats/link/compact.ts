/**
 * The tables of a saved run (trace/file-layout.ts) in few bytes, and back exactly. Rows of a span's lane are told from the row before on
 * that lane; a span begins near where the one before it ended, and ends near its own begin. What a hostile text makes of it is checked
 * by the codec, as of any file; here only that it ends, and within bounds.
 */
import * as v from 'valibot'
import { count, problemIn, record } from '../../base/shape'
import { LIMITS, OverBudget } from '../../trace/budget'
import { COLUMN_TYPES, type Column, type ColumnType } from '../../trace/columns'
import type { RawFile, RawTable } from '../../trace/file-layout'
import { ByteReader, ByteWriter } from './bytes'
import { readNumbers, writeNumbers, type Predictor } from './numbers'

/** Columns told in turn, the second from the first of its row; the first from the second, or the first, of the row before. */
const PAIRS: Readonly<
  Record<string, readonly (readonly [first: string, second: string, chained: boolean])[]>
> = {
  spans: [['start', 'end', true]],
  snapshots: [
    ['hostBeforeNs', 'hostAfterNs', false],
    ['beginTick', 'endTick', false],
  ],
  flows: [['from', 'to', false]],
}
const HOST_TIMES = /^(?:snapshots\.host|counter \d+\.timeNs)/

interface Clocks {
  /** By lane; a lane that is not there has clock 0. */
  readonly ofLane: readonly number[]
  readonly stepNs: (clock: number) => number
}

/** From a header that nothing has been checked of yet. */
function clocksOf(header: Readonly<Record<string, unknown>>): Clocks {
  const list = (value: unknown) => (Array.isArray(value) ? (value as readonly unknown[]) : [])
  const numberIn = (value: unknown, key: string): number => {
    const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, key) : null
    return typeof found === 'number' && Number.isFinite(found) ? found : 0
  }
  const steps = list(header['clocks']).map((clock) => numberIn(clock, 'stepNs'))
  return {
    ofLane: list(header['lanes']).map((lane) => numberIn(lane, 'clock')),
    stepNs: (clock) => ((steps[clock] ?? 0) > 0 ? (steps[clock] ?? 1) : 1),
  }
}

/** Row of the span before on the same lane; −1: none. */
function rowsBefore(lanes: ArrayLike<number>): Int32Array {
  const last = new Map<number, number>()
  return Int32Array.from(lanes, (lane, row) => {
    const before = last.get(lane) ?? -1
    last.set(lane, row)
    return before
  })
}

/** What each of two columns in turn is told from, for some rows of a table. */
function inTurn(rows: readonly number[], before: Int32Array, chained: boolean): Predictor {
  const placeOf = new Map(rows.map((row, place) => [row, place]))
  return (position) => {
    if (position % 2 === 1) return position - 1
    const place = placeOf.get(before[rows[position >> 1] ?? -1] ?? -1)
    return place === undefined ? -1 : 2 * place + (chained ? 1 : 0)
  }
}

function rowsByClock(lanes: ArrayLike<number>, clocks: Clocks): readonly (readonly [number, number[]])[] {
  const rows = new Map<number, number[]>()
  for (let row = 0; row < lanes.length; row += 1) {
    const clock = clocks.ofLane[lanes[row] ?? -1] ?? 0
    const list = rows.get(clock)
    if (list) list.push(row)
    else rows.set(clock, [row])
  }
  return [...rows].sort(([a], [b]) => a - b)
}

interface Part {
  /** One column, or two in turn. */
  readonly columns: readonly string[]
  /** Null: all of them. */
  readonly rows: readonly number[] | null
  readonly predictor: Predictor
  readonly stepNs: number
}

/** How a table is told: in which order, and each part from what. `lanes`: of spans, told first. */
function* partsOf(
  name: string,
  columns: readonly string[],
  length: number,
  clocks: Clocks,
  lanes: () => ArrayLike<number>,
): Generator<Part, void> {
  const pairs = (PAIRS[name] ?? []).filter(
    ([first, second]) => columns.includes(first) && columns.includes(second),
  )
  const paired = new Set(pairs.flatMap(([first, second]) => [first, second]))
  const hasLanes = name === 'spans' && columns.includes('lane')
  const previousRow: Predictor = (row) => row - 1
  if (hasLanes) yield { columns: ['lane'], rows: null, predictor: previousRow, stepNs: 1 }
  const before = hasLanes ? rowsBefore(lanes()) : Int32Array.from({ length }, (_, row) => row - 1)
  for (const column of columns) {
    if (paired.has(column) || (hasLanes && column === 'lane')) continue
    const isHost = HOST_TIMES.test(`${name}.${column}`)
    yield {
      columns: [column],
      rows: null,
      predictor: (row) => before[row] ?? -1,
      stepNs: isHost ? clocks.stepNs(0) : 1,
    }
  }
  for (const [first, second, chained] of pairs) {
    const groups = hasLanes
      ? rowsByClock(lanes(), clocks)
      : ([[HOST_TIMES.test(`${name}.${first}`) ? 0 : -1, Array.from({ length }, (_, row) => row)]] as const)
    for (const [clock, rows] of groups)
      yield {
        columns: [first, second],
        rows,
        predictor: inTurn(rows, before, chained),
        stepNs: clocks.stepNs(clock),
      }
  }
}

const TYPES = Object.keys(COLUMN_TYPES) as readonly ColumnType[]
const typeOf = (column: Column): number => TYPES.findIndex((type) => column instanceof COLUMN_TYPES[type])

export function compactFile({ header, tables }: RawFile): Uint8Array<ArrayBuffer> {
  const out = new ByteWriter()
  const clocks = clocksOf(header)
  const shape = Object.entries(tables).map(([name, { length, columns }]) => ({
    name,
    length,
    columns: Object.entries(columns).map(([column, values]) => [column, typeOf(values)]),
  }))
  const head = new TextEncoder().encode(JSON.stringify({ header, shape }))
  out.count(head.length)
  out.all(head)
  for (const [name, { length, columns }] of Object.entries(tables)) {
    const valuesOf = (column: string): ArrayLike<number> => columns[column] ?? []
    for (const part of partsOf(name, Object.keys(columns), length, clocks, () => valuesOf('lane'))) {
      const [first = '', second] = part.columns
      const { rows } = part
      const values =
        second === undefined || !rows
          ? valuesOf(first)
          : Float64Array.from({ length: 2 * rows.length }, (_, at) => {
              const row = rows[at >> 1] ?? 0
              return valuesOf(at % 2 === 0 ? first : second)[row] ?? 0
            })
      writeNumbers(out, values, part.predictor, part.stepNs)
    }
  }
  return out.bytes()
}

/** Tables beside those of counters, and columns of one: an own file has six and 14. */
const OTHER_TABLES = 16
const MOST_COLUMNS = 64

const headShape = v.object({
  header: record,
  shape: v.array(
    v.object({ name: v.string(), length: count, columns: v.array(v.looseTuple([v.string(), count])) }),
  ),
})
type Head = v.InferOutput<typeof headShape>

interface DescribedTable {
  readonly name: string
  readonly length: number
  readonly columns: readonly (readonly [name: string, type: ColumnType])[]
}

/**
 * The tables that a text claims, all of them looked at before there is room for one. Each value takes a byte at least, so that they cannot
 * hold more than is left of it; rows without a column would take none, and be any number.
 */
function describedTables(shape: Head['shape'], leftBytes: number): readonly DescribedTable[] {
  if (shape.length > LIMITS.counters.most + OTHER_TABLES)
    throw new OverBudget('counters', shape.length - OTHER_TABLES)
  let values = 0
  return shape.map(({ name, length, columns: described }) => {
    if (described.length > MOST_COLUMNS || (described.length === 0 && length > 0))
      throw new RangeError('a table has no columns, or too many')
    values += length * described.length
    if (values > leftBytes) throw new RangeError('its tables hold more than it has bytes')
    return { name, length, columns: described.map(([column, type]) => [column, TYPES[type] ?? 'u8']) }
  })
}

/**
 * Throws where the bytes are not what compactFile made: a RangeError or a SyntaxError with a few words; OverBudget where they claim more
 * than a link may.
 */
export function expandFile(bytes: Uint8Array): RawFile {
  const input = new ByteReader(bytes)
  const head: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(input.all(input.count())))
  if (!v.is(headShape, head))
    throw new RangeError(problemIn(headShape, head, 'its head') ?? 'its head says nothing')
  const { header, shape } = head
  const clocks = clocksOf(header)
  const tables: Record<string, RawTable> = {}
  for (const described of describedTables(shape, input.left))
    tables[described.name] = readTable(input, described, clocks)
  if (input.left > 0) throw new RangeError('something follows its tables')
  return { header, tables }
}

function readTable(
  input: ByteReader,
  { name, length, columns: described }: DescribedTable,
  clocks: Clocks,
): RawTable {
  const columns: Record<string, Column> = {}
  for (const [column, type] of described) columns[column] = new COLUMN_TYPES[type](length)
  const lanes = () => columns['lane'] ?? []
  for (const part of partsOf(name, Object.keys(columns), length, clocks, lanes)) {
    const [first = '', second] = part.columns
    const count = part.rows ? 2 * part.rows.length : length
    const values = readNumbers(input, count, part.predictor, part.stepNs)
    if (second === undefined || !part.rows) columns[first]?.set(values)
    else
      for (const [place, row] of part.rows.entries()) {
        ;(columns[first] as Column)[row] = values[2 * place] ?? 0
        ;(columns[second] as Column)[row] = values[2 * place + 1] ?? 0
      }
  }
  return { length, columns }
}
