/**
 * Tables as GitHub writes them, behind a paragraph with their caption, as Pandoc writes those:
 *
 *     Table: What a link carries.
 *
 *     | Link   | GB/s |
 *     | ------ | ---: |
 *     | PCIe 3 | 15.8 |
 *
 * Cells are inline markup; `\|` is a bar in one, in code too. The first cell of a row names it. Every row has every cell, and what stands in
 * none is a fault: a cell that is left out shifts those behind it.
 */
import type { Table } from '../../src/text/passage'
import type { Block, Fail, Text } from './blocks'

export const CAPTION = 'Table: '
export const isCaption = (text: string): boolean => text.startsWith(CAPTION)
export const isTableLine = (text: string): boolean => text.startsWith('|')

const DELIMITER = /^(:?)-+(:?)$/

function cellsOf({ text, line }: Text, fail: Fail): readonly string[] {
  // A bar that is escaped is none: it goes out of the way while the row is cut.
  const cells = text.replaceAll('\\|', '\0').split('|')
  if (cells.length < 3 || cells.at(-1) !== '') return fail(line, "A row of a table ends in '|'.")
  return cells.slice(1, -1).map((cell) => cell.trim().replaceAll('\0', '|'))
}

function alignOf(cell: string, line: number, fail: Fail): Table['columns'][number]['align'] {
  const [, before, after] = DELIMITER.exec(cell) ?? []
  if (before === undefined)
    return fail(line, `Below the heads of a table stands ---, :--: or ---:, not '${cell}'.`)
  return after === '' ? 'start' : before === '' ? 'end' : 'center'
}

/** @param before the block that the table follows */
export function readTable(lines: readonly Text[], before: Block | undefined, fail: Fail): Table {
  const [head, rule, ...rows] = lines
  if (!head) throw new Error('A table has a line.')
  if (before?.type !== 'paragraph' || !isCaption(before.text))
    return fail(head.line, `Before a table stands a paragraph '${CAPTION}' and its caption.`)
  const heads = cellsOf(head, fail)
  if (!rule || rows.length === 0) return fail(head.line, 'A table has heads, a line of --- and rows.')
  const aligns = cellsOf(rule, fail).map((cell) => alignOf(cell, rule.line, fail))
  const read = (row: Text): readonly string[] => {
    const cells = cellsOf(row, fail)
    if (cells.length !== heads.length)
      fail(row.line, `This row has ${String(cells.length)} cells, the heads are ${String(heads.length)}.`)
    if (cells.includes('')) fail(row.line, "A cell is empty; where there is nothing to say it says so: '–'.")
    return cells
  }
  if (aligns.length !== heads.length)
    fail(rule.line, `This line has ${String(aligns.length)} cells, the heads are ${String(heads.length)}.`)
  read(head)
  return {
    caption: before.text.slice(CAPTION.length),
    columns: heads.map((text, index) => ({ head: text, align: aligns[index] ?? 'start' })),
    rows: rows.map(read),
  }
}
