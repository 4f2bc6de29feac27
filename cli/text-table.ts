/** Text for a terminal. */
import { oneLine, plain } from '../src/base/figures'

const width = (text: string): number => Array.from(text).length

/**
 * Columns as wide as their widest cell, two spaces apart. Those named in `right` hold numbers and
 * end together.
 */
export function textTable(cells: readonly (readonly string[])[], right: readonly number[] = []): string {
  // A name with a line break would be a row of its own.
  const rows = cells.map((row) => row.map((cell) => oneLine(cell)))
  // In loops: a file may have more rows than a call takes arguments.
  const widths: number[] = []
  for (const row of rows)
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, width(cell))
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => {
        const pad = ' '.repeat((widths[column] ?? 0) - width(cell))
        return right.includes(column) ? pad + cell : cell + pad
      })
      .join('  ')
      .trimEnd()
  return rows.map(line).join('\n')
}

/**
 * The first so many rows, and how many more there are. More than a screen or two tell nobody
 * anything; the JSON has them all.
 */
export function firstRows(
  rows: readonly (readonly string[])[],
  most = MOST_ROWS,
): readonly (readonly string[])[] {
  if (rows.length <= most) return rows
  return [...rows.slice(0, most), ['  …', `and ${String(rows.length - most)} more, in --json`]]
}
const MOST_ROWS = 100

/** Four significant figures, plainly written. */
export function formatFigure(value: number): string {
  if (value !== 0 && (Math.abs(value) >= 1e6 || Math.abs(value) < 1e-3)) return value.toExponential(3)
  return plain(value, 4)
}
