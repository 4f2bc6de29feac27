/** The first rungs of the ladder, each with one idea more; each declares its own bindings. */
import coalescedText from '../../../../shaders/matmul/coalesced.wgsl?raw'
import naiveText from '../../../../shaders/matmul/naive.wgsl?raw'
import registerBlockedText from '../../../../shaders/matmul/register-blocked.wgsl?raw'
import tiledText from '../../../../shaders/matmul/tiled.wgsl?raw'
import { ceilDivide } from '../kernel'
import { matmulKernel, sharedTile, type Tile } from './matmul'

/** One thread for each entry of C. */
const ENTRIES: Tile = {
  name: '16×16',
  rows: 16,
  columns: 16,
  depth: 1,
  threads: 256,
  storageBytes: 0,
  constants: { WORKGROUP_X: 16, WORKGROUP_Y: 16 },
}

/** The loop nest as it stands: what the others are measured against. */
export const naive = matmulKernel({
  id: 'naive',
  text: naiveText,
  access: 'own',
  tiles: [ENTRIES],
  // Rows in x: that is the point of it.
  workgroups: ({ m, n }, { rows, columns }) => [ceilDivide(m, rows), ceilDivide(n, columns), 1],
})

/** The naive kernel with x and y exchanged: only the order in which threads meet memory changes. */
export const coalesced = matmulKernel({
  id: 'coalesced',
  text: coalescedText,
  access: 'own',
  tiles: [ENTRIES],
})

/** Side of the square workgroup: 16 · 16 = 256 threads are as many as every device takes. */
const SIDE = 16

/** Tiles of A and B are shared through workgroup memory, so memory is read TILE times less. */
export const tiled = matmulKernel({
  id: 'tiled',
  text: tiledText,
  access: 'own',
  tiles: [sharedTile([SIDE, SIDE, SIDE], SIDE * SIDE, { TILE: SIDE })],
})

/** A thread makes 4 × 4 entries at once: a value that was read serves four sums in registers. */
export const registerBlocked = matmulKernel({
  id: 'register-blocked',
  text: registerBlockedText,
  access: 'own',
  tiles: [sharedTile([4 * SIDE, 4 * SIDE, SIDE], SIDE * SIDE, { THREADS: SIDE, TILE_K: SIDE })],
})
