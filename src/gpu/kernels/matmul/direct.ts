/**
 * Straight from memory, without workgroup memory: for software adapters, whose caches are a
 * processor's, and for small matrices.
 */
import text from '../../../../shaders/matmul/direct.wgsl?raw'
import { matmulKernel } from './matmul'

/** Rows of C that a thread makes, in one column of fours. */
const ROWS = 4
/** Side of the square workgroup. */
const THREADS = 8
/** Each thread reads along k by itself, four values at a time. */
const DEPTH = 4

export const direct = matmulKernel({
  id: 'direct',
  text,
  access: 'rows',
  tiles: [
    {
      name: '32×32',
      rows: ROWS * THREADS,
      columns: 4 * THREADS,
      depth: DEPTH,
      // Threads beyond the matrix leave at once; of the others only the own block may reach over an
      // edge.
      granule: [ROWS, 4, DEPTH],
      threads: THREADS * THREADS,
      storageBytes: 0,
      constants: { ROWS, THREADS_M: THREADS, THREADS_N: THREADS },
    },
  ],
})
