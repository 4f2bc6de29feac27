/** For few rows, where B is read and not reused: no tile helps, only many reads at once. Not a rung of the ladder: another problem. */
import text from '../../../shaders/matmul/row-vector.wgsl?raw'
import { ceilDivide } from '../kernel'
import { matmulKernel, type Tile } from './matmul'

/** From here on tiles win: measured on an H200 with n = k = 4096, where 16 rows were the last that did not lose. */
const MOST_ROWS = 16

function tile(columns4: number, slices: number): Tile {
  const threads = columns4 * slices
  return {
    name: `1×${String(4 * columns4)}×${String(4 * slices)}`,
    rows: 1,
    columns: 4 * columns4,
    depth: 4 * slices,
    threads,
    storageBytes: threads * 16,
    constants: { COLUMNS_4: columns4, SLICES: slices },
  }
}

/** As many threads as every device takes. */
const PORTABLE = tile(8, 32)

export const rowVector = matmulKernel({
  id: 'row-vector',
  title: 'Row vector',
  idea: 'For few rows: every value of B is used once, so nothing is shared and the threads cut k among them, to keep as many reads as possible on their way.',
  text,
  access: 'rows',
  // Up to 1,024 threads where the device has them: one row of 4096 fills only 128 workgroups.
  tiles: [tile(8, 16), PORTABLE, tile(8, 64), tile(8, 128)],
  tileFor: () => PORTABLE,
  suits: ({ m }) => m <= MOST_ROWS,
  workgroups: ({ m, n }, { columns }) => [ceilDivide(n, columns), m, 1],
})
