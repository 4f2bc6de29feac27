/**
 * A table (table.ts) as text: a cell for people, sizes as a profile writes them, the whole as CSV
 * with plain numbers, or as Markdown.
 */
import { durationText, flopRateText, plain } from '../../base/figures'
import type { Column, Row, Table, Unit } from './table'

type Cell = string | number | null | undefined

/** The cell's text; '' where the value is not known. */
export function cellText(cell: Cell, unit: Unit): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'string') return cell
  switch (unit) {
    case 'ns':
      return durationText(cell)
    case 'share':
      // Not capped: more than all of a bound says that the bound is wrong.
      return `${plain(100 * cell)} %`
    case 'flops':
      return flopRateText(cell)
    case 'bytes':
      return `${plain(cell)} GB/s`
    default:
      return plain(cell, 6)
  }
}

/** A kernel's name without what most have, so that a narrow cell tells them apart. */
export const shortName = (name: string): string =>
  name.replaceAll(/^void |\b(?:at::native|c10)::|\(anonymous namespace\)::/g, '')

/** Plain numbers have no unit of their own: the suffix, and the factor. */
const PLAIN: Readonly<Partial<Record<Unit, readonly [suffix: string, scale: number]>>> = {
  ns: ['us', 1e-3],
  flops: ['GFLOP/s', 1],
  bytes: ['GB/s', 1],
}
function headOf({ head, unit }: Column): string {
  const [suffix] = PLAIN[unit] ?? []
  if (suffix === undefined) return head
  return head.endsWith('/s') ? suffix : `${head}, ${suffix}`
}

const plainCell = (cell: Cell, unit: Unit): string =>
  cell === null || cell === undefined
    ? ''
    : typeof cell === 'string'
      ? cell
      : plain(cell * (PLAIN[unit]?.[1] ?? 1), 6)

const quoted = (text: string): string => {
  // A cell that begins so is a formula to a spreadsheet.
  const safe = /^[=+\-@\t]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

type Shown = Pick<Table, 'columns'> & { readonly rows: readonly Row[] }

export const tableCsv = ({ columns, rows }: Shown): string =>
  [
    [...columns.map(headOf), 'Line'],
    ...rows.map(({ cells, line }) => [...columns.map(({ id, unit }) => plainCell(cells[id], unit)), line]),
  ]
    .map((row) => row.map(quoted).join(','))
    .join('\r\n')

const escaped = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/[\r\n]+/g, ' ')

export const tableMarkdown = ({ columns, rows }: Shown): string =>
  [
    columns.map(({ head }) => head),
    columns.map(({ unit }) => (unit === 'text' ? '---' : '---:')),
    ...rows.map(({ cells }) => columns.map(({ id, unit }) => escaped(cellText(cells[id], unit)))),
  ]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')

/** Sizes as a profile writes them, for people. */

/** '8×64, 64×4'; what is no tensor is left out. */
export function shapeText(shape: string): string {
  if (shape === '') return ''
  let sizes: unknown
  try {
    sizes = JSON.parse(shape)
  } catch {
    return `${shape.slice(0, MOST_SHAPE)}…`
  }
  const text = (Array.isArray(sizes) ? sizes : [])
    .map(sizeText)
    .filter((each) => each !== '')
    .join(', ')
  return text.length > MOST_SHAPE ? `${text.slice(0, MOST_SHAPE)}…` : text
}
const MOST_SHAPE = 120

/** In a list of tensors each has its sizes in brackets. */
function sizeText(size: unknown): string {
  if (!Array.isArray(size)) return ''
  return size.some(Array.isArray) ? `(${size.map(sizeText).join(', ')})` : size.join('×')
}

/** '32×4, 128': blocks, and threads of a block. */
export const launchText = (grid: string, block: string): string => {
  const [blocks, threads] = [sideText(grid), sideText(block)]
  return blocks === '' || threads === '' ? '' : `${blocks}, ${threads}`
}
/** '[32,1,1]' as '32'. */
const sideText = (sides: string): string =>
  sides
    .replace(/[[\]\s]/g, '')
    .split(',')
    .reduceRight<string[]>((kept, side) => (kept.length === 0 && side === '1' ? kept : [side, ...kept]), [])
    .join('×') || (sides === '' ? '' : '1')
