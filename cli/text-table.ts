/** Text for a terminal. */
import { oneLine } from '../src/analysis/wording'

/**
 * A name from anybody's file may hold what a terminal obeys: cursor, colours, the clipboard (OSC 52), links (OSC 8), C1 codes, and marks that
 * turn the direction of what follows. Each becomes its escape, readable and inert; in JSON it stays the same string.
 */
export const inert = (text: string): string =>
  text.replaceAll(
    /(?!\n)[\p{Cc}\p{Bidi_Control}]/gu,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const width = (text: string): number => Array.from(text).length

/** Columns as wide as their widest cell, two spaces apart. Those named in `right` hold numbers and end together. */
export function textTable(cells: readonly (readonly string[])[], right: readonly number[] = []): string {
  // A name with a line break would be a row of its own.
  const rows = cells.map((row) => row.map((cell) => oneLine(cell)))
  const columns = Math.max(...rows.map((row) => row.length))
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => width(row[column] ?? ''))),
  )
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

/** Four significant figures, plainly written. */
export function formatFigure(value: number): string {
  if (value !== 0 && (Math.abs(value) >= 1e6 || Math.abs(value) < 1e-3)) return value.toExponential(3)
  return String(Number(value.toPrecision(4)))
}
