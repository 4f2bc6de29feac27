/** Tables of text for a terminal. */

const width = (text: string): number => Array.from(text).length

/** Columns as wide as their widest cell, two spaces apart. Those named in `right` hold numbers and end together. */
export function textTable(rows: readonly (readonly string[])[], right: readonly number[] = []): string {
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
