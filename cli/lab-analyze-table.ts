/**
 * `lab analyze FILE --table KIND`: a table of the profile, as the page shows it; with --before what
 * changed since that file.
 */
import type { OwnPeak } from '../src/analysis/tables/peaks'
import {
  EMPTY,
  type Row,
  type Table,
  type TableKind,
  differenceOf,
  perStep,
} from '../src/analysis/tables/table'
import { cellText, shortName, tableMarkdown } from '../src/analysis/tables/table-text'
import { Tables } from '../src/analysis/tables/tables'
import { counted, durationText } from '../src/base/figures'
import { placeTrace } from '../src/trace/place'
import type { ReadFile } from './lab-analyze'
import { CommandError } from './terminal.mjs'
import { textTable } from './text-table'

export interface TableWanted {
  readonly kind: TableKind
  /** Rows that are written; null: as many as a screen holds, of JSON all. */
  readonly top: number | null
  readonly byShape: boolean
  readonly isPerStep: boolean
  readonly peak: OwnPeak
}

const ON_A_SCREEN = 20
/** Names of kernels are longer than any terminal is wide. */
const MOST_NAME = 72

function tableOf({ opened }: ReadFile, { kind, byShape, peak }: TableWanted) {
  const tables = new Tables(placeTrace(opened.trace), { byShape, own: peak })
  return { table: tables.table(kind), source: tables.walk.peak?.source ?? null }
}

/** @throws CommandError where the file has no such table */
export function tableOutput(
  now: ReadFile,
  before: ReadFile | null,
  wanted: TableWanted,
  as: 'text' | 'json' | 'markdown',
): string {
  const { table: own, source } = tableOf(now, wanted)
  const asked = wanted.isPerStep ? perStep(own) : own
  const table = before ? differenceOf(tableOf(before, wanted).table, own) : asked
  if (table.rows.length === 0) throw new CommandError(`'${now.analysis.file}': ${EMPTY[wanted.kind]}`, 2)
  const rows = table.rows.slice(0, wanted.top ?? (as === 'json' ? table.rows.length : ON_A_SCREEN))
  if (as === 'json') return JSON.stringify(plainTable(table, rows, source), null, 2)
  if (as === 'markdown') return tableMarkdown({ columns: table.columns, rows })
  const cells = rows.map((row) => table.columns.map(({ id, unit }) => short(cellText(row.cells[id], unit))))
  const right = table.columns.flatMap(({ unit }, at) => (unit === 'text' ? [] : [at]))
  const more = table.rows.length - rows.length
  return [
    `${counted(table.steps, 'step')} of ${durationText(table.stepNs)} on average.${
      source !== null && table.columns.some(({ id }) => id === 'bound') ? ` Bounds from the ${source}.` : ''
    }`,
    textTable([table.columns.map(({ head }) => head), ...cells], right),
    ...(more > 0
      ? [`… and ${counted(more, 'more row')}: --top ${String(table.rows.length)}, or --json.`]
      : []),
  ].join('\n')
}

function short(text: string): string {
  const name = shortName(text)
  return name.length > MOST_NAME ? `${name.slice(0, MOST_NAME - 1)}…` : name
}

/** Times in µs, as everywhere in the command's JSON; rates per second. */
const plainTable = (table: Table, rows: readonly Row[], peak: string | null) => ({
  schema: 'host-device-lab/table@1',
  table: table.kind,
  steps: table.steps,
  stepUs: table.stepNs / 1e3,
  peak,
  rows: rows.map(({ cells, line }) => ({
    ...plainCells(table, cells),
    line,
  })),
})

/** Named by their columns, with the unit where a number has one. */
function plainCells({ columns }: Table, cells: Row['cells']): Record<string, string | number | null> {
  const plain: Record<string, string | number | null> = {}
  for (const { id, unit } of columns) {
    const cell = cells[id] ?? null
    if (typeof cell !== 'number') plain[id] = cell
    else if (unit === 'ns') plain[`${id} us`] = cell / 1e3
    else if (unit === 'flops' || unit === 'bytes') plain[`${id} per second`] = cell * 1e9
    else plain[id] = cell
  }
  return plain
}
