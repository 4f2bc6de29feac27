/**
 * Straight from memory, without workgroup memory: for software adapters, whose caches are a
 * processor's, and for small matrices.
 */
import text from '../../../../shaders/matmul/direct.wgsl?raw'
import { matmulKernel, type Tile } from './matmul'

/** Each thread reads along k by itself, four values at a time. */
const DEPTH = 4

function tile(rowsPerThread: 1 | 4, threadsM: number, threadsN: number): Tile {
  const rows = rowsPerThread * threadsM
  const columns = 4 * threadsN
  return {
    name: `${String(rows)}×${String(columns)}`,
    rows,
    columns,
    depth: DEPTH,
    // Threads beyond the matrix leave at once; of the others only the own block may reach over an
    // edge.
    granule: [rowsPerThread, 4, DEPTH],
    threads: threadsM * threadsN,
    storageBytes: 0,
    constants: { ROWS: rowsPerThread, THREADS_M: threadsM, THREADS_N: threadsN },
  }
}

export const direct = matmulKernel({
  id: 'direct',
  title: 'Direct',
  text,
  access: 'rows',
  tiles: [tile(1, 1, 32), tile(4, 4, 4), tile(4, 2, 16), tile(4, 8, 8)],
})
