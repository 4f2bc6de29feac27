/**
 * Tables as typed columns: which columns each table has, in file order, and a table that grows by
 * doubling. A view of a growing table stays right for ever: rows are only appended, and growing
 * leaves the old buffers behind, one column after the other.
 */
import {
  COLUMN_TYPES,
  type Column,
  type ColumnsOf,
  type ColumnType,
  type CounterColumns,
  type TableName,
  type TableOf,
  type TableSpec,
  TABLES,
  type TraceTables,
} from './schema'

export const COUNTER_TABLE = { timeNs: 'f64', value: 'f64' } as const satisfies TableSpec

export const SNAPSHOT_TABLE = {
  clock: 'u16',
  hostBeforeNs: 'f64',
  beginTick: 'f64',
  endTick: 'f64',
  hostAfterNs: 'f64',
} as const satisfies TableSpec

const mapColumns = <Spec extends TableSpec>(
  spec: Spec,
  make: (name: string, type: ColumnType) => Column,
): ColumnsOf<Spec> =>
  // Built entry by entry from the spec itself, which the type system cannot follow.
  Object.fromEntries(Object.entries(spec).map(([name, type]) => [name, make(name, type)])) as ColumnsOf<Spec>

/** A table's columns by their names, for code that goes through a spec. */
export const columnsOf = (table: object): Readonly<Record<string, Column>> =>
  table as Readonly<Record<string, Column>>

type Row<Spec extends TableSpec> = { readonly [Name in keyof Spec]: number }

/** Rows as objects, one by one, and objects as rows: for tables of few. */
export function* rowsOf<Spec extends TableSpec>(
  spec: Spec,
  table: TableOf<Spec>,
): Generator<Row<Spec>, void> {
  const columns = Object.keys(spec).map((name) => [name, columnsOf(table)[name]] as const)
  for (let at = 0; at < table.length; at += 1) {
    const row: Record<string, number> = {}
    for (const [name, column] of columns) row[name] = column?.[at] ?? 0
    yield row as Row<Spec> // of each column its number
  }
}
export const tableOf = <Spec extends TableSpec>(spec: Spec, rows: readonly Row<Spec>[]): TableOf<Spec> => ({
  ...mapColumns(spec, (name, type) => COLUMN_TYPES[type].from(rows.map((row) => row[name] ?? 0))),
  length: rows.length,
})

/** The rows of so many that are kept. */
export function rowsThat(length: number, isKept: (row: number) => boolean, first = 0): readonly number[] {
  const rows: number[] = []
  for (let row = first; row < length; row += 1) if (isKept(row)) rows.push(row)
  return rows
}

const FIRST_CAPACITY = 256
/** However little is expected: growing by too little would copy the table again and again. */
const LEAST_GROWTH = 1.125

export class GrowingTable<Spec extends TableSpec> {
  readonly #spec: Spec
  #capacity: number
  /**
   * Longer than `length`; write a row at `addRow()`'s index. Each is replaced when the table grows:
   * do not keep one.
   */
  readonly columns: ColumnsOf<Spec>
  length = 0

  constructor(spec: Spec, capacity = FIRST_CAPACITY) {
    this.#spec = spec
    this.#capacity = capacity
    this.columns = mapColumns(spec, (_, type) => new COLUMN_TYPES[type](capacity))
  }

  /**
   * Makes room for one row and returns its index; the caller writes every column. `expected`: how
   * many there may be in the end; the table grows to that where doubling would be more.
   */
  addRow(expected = Infinity): number {
    const row = this.length
    if (row === this.#capacity) this.#reserve(row + 1, expected)
    this.length = row + 1
    return row
  }

  /** A row like another, at the end. */
  copyRow(from: number): number {
    const row = this.addRow()
    for (const name of Object.keys(this.#spec)) {
      const column = this.#column(name)
      column[row] = column[from] ?? 0
    }
    return row
  }

  append(table: TableOf<Spec>): void {
    const first = this.length
    this.#reserve(first + table.length)
    for (const name of Object.keys(this.#spec))
      this.#column(name).set((columnsOf(table)[name] as Column).subarray(0, table.length), first)
    this.length = first + table.length
  }

  /** Rows so far, without a copy. */
  view(): TableOf<Spec> {
    return this.#table(this.length, (name) => this.#column(name).subarray(0, this.length))
  }

  /** Rows from `first` on, in arrays of their own. */
  copy(first = 0): TableOf<Spec> {
    return this.#table(this.length - first, (name) => this.#column(name).slice(first, this.length))
  }

  #table(length: number, make: (name: string) => Column): TableOf<Spec> {
    return { ...mapColumns(this.#spec, make), length }
  }

  #column(name: string): Column {
    return columnsOf(this.columns)[name] as Column
  }

  #reserve(rows: number, expected = Infinity): void {
    if (rows <= this.#capacity) return
    while (this.#capacity < rows)
      this.#capacity = Math.ceil(
        Math.max(LEAST_GROWTH * this.#capacity, Math.min(2 * this.#capacity, expected)),
      )
    this.#replace((old, type) => {
      const grown = new COLUMN_TYPES[type](this.#capacity)
      grown.set(old)
      return grown
    })
  }

  /** Drops the rows from `length` on, and their room where it is more than a tenth. */
  cut(length: number): void {
    this.length = length
    if (this.#capacity <= LEAST_GROWTH * length) return
    this.#capacity = Math.max(1, length)
    this.#replace((old) => old.slice(0, this.#capacity))
  }

  /** One column after the other: each old one can go before the next is made. */
  #replace(make: (old: Column, type: ColumnType) => Column): void {
    for (const [name, type] of Object.entries(this.#spec))
      (this.columns as Record<string, Column>)[name] = make(this.#column(name), type)
  }
}

export type GrowingTables = { readonly [Name in TableName]: GrowingTable<(typeof TABLES)[Name]> }

export const TABLE_NAMES = Object.keys(TABLES) as TableName[]

/** What is made for each table, by its name. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows what it makes
export const eachTable = <Made extends Readonly<Record<TableName, object | null>>>(
  make: (name: TableName, spec: TableSpec) => object | null,
): Made =>
  // One for each name, which the type system cannot follow.
  Object.fromEntries(TABLE_NAMES.map((name) => [name, make(name, TABLES[name])])) as Made

export const growingTables = (): GrowingTables => eachTable((_, spec) => new GrowingTable(spec))

/** What the tables hold, without a copy. */
export const viewTables = (tables: GrowingTables): TraceTables => eachTable((name) => tables[name].view())

export interface NewCounter {
  readonly name: string
  readonly unit: string
  readonly lane: number
}

/** A counter while it is written or put together: its description and its samples so far. */
export class GrowingCounter {
  readonly description: NewCounter
  readonly samples = new GrowingTable(COUNTER_TABLE, 64)
  constructor(description: NewCounter) {
    this.description = description
  }
  columns(samples = this.samples.view()): CounterColumns {
    const { name, unit, lane } = this.description
    return { name, unit, lane, ...samples }
  }
}
