import { expect, it } from 'vitest'
import { filterRows, perStep, sortRows, type Row, type Table, differenceOf } from './table'
import { shortName, tableCsv, tableMarkdown } from './table-text'

const row = (name: string, device: number | null, flops: number | null = null): Row => ({
  key: name,
  cells: { name, device, calls: 2, flops },
  step: { device: (device ?? 0) / 2, calls: 1 },
  span: 0,
  line: '',
})
const table = (...rows: readonly Row[]): Table => ({
  kind: 'kernels',
  columns: [
    { id: 'name', head: 'Kernel', unit: 'text', means: '' },
    { id: 'device', head: 'Time', unit: 'ns', means: '' },
    { id: 'flops', head: 'FLOP/s', unit: 'flops', means: '' },
  ],
  rows,
  steps: 2,
  stepNs: 5000,
})
const rows = [row('gemm<4, 4>', 3000, 700), row('add', null), row('=cmd()', 1000)]

it('sorts by a column, what is not known last', () => {
  const names = (descending: boolean) =>
    sortRows(rows, { column: 'device', descending }).map(({ key }) => key)
  expect(names(true)).toEqual(['gemm<4, 4>', '=cmd()', 'add'])
  expect(names(false)).toEqual(['=cmd()', 'gemm<4, 4>', 'add'])
})

it('keeps rows that have every word', () => {
  expect(filterRows(rows, 'GEMM 4').map(({ key }) => key)).toEqual(['gemm<4, 4>'])
  expect(filterRows(rows, ' ')).toHaveLength(3)
  expect(filterRows(rows, 'gemm add')).toEqual([])
})

it('writes plain numbers as CSV, and no formula', () => {
  expect(tableCsv(table(...rows)).split('\r\n')).toEqual([
    'Kernel,"Time, us",GFLOP/s,Line',
    '"gemm<4, 4>",3,700,',
    'add,,,',
    "'=cmd(),1,,",
  ])
})

it('writes Markdown with units', () => {
  expect(tableMarkdown(table(row('a|b', 3000, 700))).split('\n')).toEqual([
    '| Kernel | Time | FLOP/s |',
    '| --- | ---: | ---: |',
    '| a\\|b | 3 µs | 700 GFLOP/s |',
  ])
})

it('has the times of a step', () => {
  expect(perStep(table(row('gemm', 3000))).rows[0]?.cells).toMatchObject({ device: 1500, calls: 1 })
})

it('says what changed a step, largest first, and what came and went', () => {
  const before = table(row('gemm', 6000), row('old', 1000))
  const now = table(row('gemm', 4000), row('new', 2400))
  const { rows: changed } = differenceOf(before, now)
  expect(changed.map(({ key, cells }) => [key, cells['change']])).toEqual([
    ['new', 1200],
    ['gemm', -1000],
    ['old', -500],
  ])
  // It is not in the profile that is shown.
  expect(changed[2]?.span).toBe(-1)
})

it('leaves out of a name what most kernels have', () => {
  const name = 'void at::native::(anonymous namespace)::CatArrayBatchedCopy<at::native::Op<c10::Half>>(int)'
  expect(shortName(name)).toBe('CatArrayBatchedCopy<Op<Half>>(int)')
})
