/**
 * For few rows, where B is read and not reused: no tile helps, only many reads at once. Not a rung
 * of the ladder: another problem.
 */
import rowInFours from '../../../../shaders/lib/row-in-fours.wgsl?raw'
import rowOneByOne from '../../../../shaders/lib/row-one-by-one.wgsl?raw'
import text from '../../../../shaders/matmul/vector-matrix.wgsl?raw'
import { ceilDivide } from '../kernel'
import { matmulKernel, type Tile } from './matmul'

/** Fours of columns of a workgroup: 128 bytes of each row of B, a cache line. */
const COLUMNS_4 = 8

/** @param group slices that a thread adds up in the first step */
function tile(slices: number, group: number): Tile {
  const threads = COLUMNS_4 * slices
  return {
    name: `1×${String(4 * COLUMNS_4)}×${String(4 * slices)}`,
    rows: 1,
    columns: 4 * COLUMNS_4,
    depth: 4 * slices,
    threads,
    storageBytes: threads * 16,
    constants: { COLUMNS_4, SLICES: slices, GROUP: group },
  }
}

/** The tile with as many threads as every device allows. */
const PORTABLE = tile(32, 8)

export const vectorMatrix = matmulKernel({
  id: 'vector-matrix',
  text,
  access: {
    inFours: { file: 'shaders/lib/row-in-fours.wgsl', text: rowInFours },
    oneByOne: { file: 'shaders/lib/row-one-by-one.wgsl', text: rowOneByOne },
  },
  // Up to 1,024 threads where the device has them: one row of 4096 fills only 128 workgroups.
  tiles: [PORTABLE, tile(64, 8), tile(128, 16)],
  tileFor: () => PORTABLE,
  workgroups: ({ m, n }, { columns }) => [ceilDivide(n, columns), m, 1],
})
