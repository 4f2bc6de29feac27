/**
 * Two profiles' tables as one: what a step of each takes for the same row, largest change first.
 */
import type { Column, Row, Table, TableKind } from './table'

/** The time of a row: device time where anything ran there, else host time. */
const TIMES: Readonly<Record<TableKind, readonly string[]>> = {
  operators: ['selfDevice', 'selfHost'],
  kernels: ['device'],
  modules: ['device', 'host'],
  lines: ['device', 'host'],
}
const HEADS: Readonly<Record<string, string>> = {
  selfDevice: 'Device, own',
  device: 'Device',
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
    return rowOf(row, old, row, times, before.steps, now.steps)
  })
  for (const old of earlier.values())
    joined.push({ ...rowOf(old, old, undefined, times, before.steps, now.steps), span: -1 })
  const size = ({ cells }: Row) => Math.abs(Number(cells['change'] ?? 0))
  joined.sort((a, b) => size(b) - size(a))
  return { kind, columns, rows: joined, steps: now.steps, stepNs: now.stepNs }
}

function rowOf(
  either: Row,
  before: Row | undefined,
  now: Row | undefined,
  times: readonly string[],
  stepsBefore: number,
  stepsNow: number,
): Row {
  const of = (row: Row | undefined, id: string, steps: number) =>
    Number(row?.cells[id] ?? 0) / Math.max(1, steps)
  const cells: Record<string, string | number | null> = {
    name: either.cells['name'] ?? '',
    shape: either.cells['shape'] ?? '',
  }
  for (const id of [...times, 'calls']) {
    cells[`${id} before`] = of(before, id, stepsBefore)
    cells[id] = of(now, id, stepsNow)
  }
  const [first = 'host'] = times
  cells['change'] = of(now, first, stepsNow) - of(before, first, stepsBefore)
  return { key: either.key, span: either.span, line: either.line, cells }
}
