/**
 * A table of a profile: rows with texts and numbers by column, so that page, terminal, CSV and
 * differences share one form.
 */

export const TABLES = ['operators', 'kernels', 'modules', 'lines'] as const
export type TableKind = (typeof TABLES)[number]

/** Why a table is empty. */
export const EMPTY: Readonly<Record<TableKind, string>> = {
  operators: 'The file records no operators.',
  kernels: 'The file records no kernels.',
  modules: 'The file names no modules: record with with_stack=True.',
  lines: 'The file has no Python stacks: record with with_stack=True.',
}

/** How a column's numbers are written. Times are ns, rates operations and bytes a ns. */
export type Unit = 'text' | 'count' | 'ns' | 'share' | 'flops' | 'bytes'

export interface Column {
  readonly id: string
  readonly head: string
  readonly unit: Unit
  /** Its meaning, in a sentence. */
  readonly means: string
}

export interface Row {
  /** The same in two profiles for what is the same. */
  readonly key: string
  /** By column; null: not known. */
  readonly cells: Readonly<Record<string, string | number | null>>
  /** Times and calls of a step, by column: of what lies in the steps. */
  readonly step: Readonly<Record<string, number>>
  /** The longest of its spans. */
  readonly span: number
  /**
   * Place of the longest call: the reader's innermost function, 'train.py(12): step'; '' where no
   * stack is recorded.
   */
  readonly line: string
}

export interface Table {
  readonly kind: TableKind
  readonly columns: readonly Column[]
  /** Most time first. */
  readonly rows: readonly Row[]
  /** Steps that the rows are of, and their mean, ns. */
  readonly steps: number
  readonly stepNs: number
}

const text = (id: string, head: string, means: string): Column => ({ id, head, unit: 'text', means })
const number = (id: string, head: string, unit: Unit, means: string): Column => ({ id, head, unit, means })

const CALLS = number('calls', 'Calls', 'count', 'Calls in the whole file, or in a step.')
const SHARE = number('share', 'Of step', 'share', 'Own device time in a step, over the length of a step.')
const RATES = [
  number('flops', 'FLOP/s', 'flops', 'Operations that its sizes require, over device time.'),
  number(
    'bytes',
    'Bytes/s',
    'bytes',
    'Inputs and outputs counted once, over device time. Cached data can exceed memory bandwidth.',
  ),
  number(
    'bound',
    'Of bound',
    'share',
    'The shortest time that the device’s peak allows, over device time. Above 100 %: cached data.',
  ),
]
const HOST = [
  number('selfHost', 'Host, own', 'ns', 'Host time without what it calls.'),
  number('host', 'Host, all', 'ns', 'Host time with what it calls.'),
]
const DEVICE = [
  number('selfDevice', 'Device, own', 'ns', 'Device time of kernels and copies that it launches itself.'),
  number('device', 'Device, all', 'ns', 'Device time of everything launched in it.'),
]
const BACKWARD = number(
  'backward',
  'Backward',
  'ns',
  'Device time of the backward pass of what ran in it. Other columns are without it.',
)
const SHAPE = text('shape', 'Inputs', 'Sizes of its inputs, where they are recorded.')

export const COLUMNS: Readonly<Record<TableKind, readonly Column[]>> = {
  operators: [text('name', 'Operator', ''), SHAPE, CALLS, SHARE, ...DEVICE, ...RATES, ...HOST],
  kernels: [
    text('name', 'Kernel', ''),
    CALLS,
    SHARE,
    number('device', 'Time', 'ns', 'All its launches together.'),
    number('mean', 'Mean', 'ns', 'Of one launch.'),
    ...RATES,
    text('tensor', 'Tensor cores', 'By the kernel’s name; empty where it does not say.'),
    text('operator', 'Operator', 'What launched most of it.'),
    text('launch', 'Grid, block', 'Blocks of a launch, and threads of a block.'),
    text('stream', 'Stream', ''),
  ],
  modules: [text('name', 'Module', ''), CALLS, SHARE, ...DEVICE, BACKWARD, ...HOST],
  lines: [text('name', 'Function', ''), CALLS, SHARE, ...DEVICE, BACKWARD, ...HOST],
}

/** Times and calls of a step in place of all. */
export const perStep = (table: Table): Table => ({
  ...table,
  rows: table.rows.map((row) => ({ ...row, cells: { ...row.cells, ...row.step } })),
})

export type Sort = { readonly column: string; readonly descending: boolean }

export function sortRows(rows: readonly Row[], { column, descending }: Sort): readonly Row[] {
  const sign = descending ? -1 : 1
  return [...rows].sort((a, b) => {
    const [left, right] = [a.cells[column] ?? null, b.cells[column] ?? null]
    // Unknown values come last, in either order.
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    if (typeof left === 'number' && typeof right === 'number') return sign * (left - right)
    return sign * String(left).localeCompare(String(right))
  })
}

/** Rows in which each word occurs, in any text. */
export function filterRows(rows: readonly Row[], wanted: string): readonly Row[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return rows
  return rows.filter(({ cells, line }) => {
    const texts = [...Object.values(cells).filter((cell) => typeof cell === 'string'), line]
      .join(' ')
      .toLowerCase()
    return words.every((word) => texts.includes(word))
  })
}

/** The time of a row: device time where anything ran there, else host time. */
const TIMES: Readonly<Record<TableKind, readonly string[]>> = {
  operators: ['selfDevice', 'selfHost'],
  kernels: ['device'],
  modules: ['device', 'backward', 'host'],
  lines: ['device', 'backward', 'host'],
}
const HEADS: Readonly<Record<string, string>> = {
  selfDevice: 'Device, own',
  device: 'Device',
  backward: 'Backward',
  selfHost: 'Host, own',
  host: 'Host',
}

/** Per step, so that profiles of different lengths compare. */
export function differenceOf(before: Table, now: Table): Table {
  const { kind } = now
  const times = TIMES[kind].filter((id) =>
    [...before.rows, ...now.rows].some(({ cells }) => Number(cells[id] ?? 0) > 0),
  )
  const texts = now.columns.filter(({ id, unit }) => unit === 'text' && (id === 'name' || id === 'shape'))
  const columns: Column[] = [
    ...texts,
    {
      id: 'change',
      head: 'Change a step',
      unit: 'ns',
      means: 'Change in the first time column: now minus before.',
    },
    ...times.flatMap((id): Column[] => [
      {
        id: `${id} before`,
        head: `${HEADS[id] ?? id}, before`,
        unit: 'ns',
        means: 'In a step of the earlier profile.',
      },
      { id, head: `${HEADS[id] ?? id}, now`, unit: 'ns', means: 'In a step of this profile.' },
    ]),
    { id: 'calls before', head: 'Calls, before', unit: 'count', means: 'In a step of the earlier profile.' },
    { id: 'calls', head: 'Calls, now', unit: 'count', means: 'In a step of this profile.' },
  ]
  const earlier = new Map(before.rows.map((row) => [row.key, row]))
  const joined: Row[] = now.rows.map((row) => {
    const old = earlier.get(row.key)
    earlier.delete(row.key)
    return rowOf(row, old, row, times)
  })
  for (const old of earlier.values()) joined.push({ ...rowOf(old, old, undefined, times), span: -1 })
  const size = ({ cells }: Row) => Math.abs(Number(cells['change'] ?? 0))
  joined.sort((a, b) => size(b) - size(a))
  return { kind, columns, rows: joined, steps: now.steps, stepNs: now.stepNs }
}

function rowOf(either: Row, before: Row | undefined, now: Row | undefined, times: readonly string[]): Row {
  const of = (row: Row | undefined, id: string) => row?.step[id] ?? 0
  const cells: Record<string, string | number | null> = {
    name: either.cells['name'] ?? '',
    shape: either.cells['shape'] ?? '',
  }
  for (const id of [...times, 'calls']) {
    cells[`${id} before`] = of(before, id)
    cells[id] = of(now, id)
  }
  const [first = 'host'] = times
  cells['change'] = of(now, first) - of(before, first)
  return { ...either, cells }
}
