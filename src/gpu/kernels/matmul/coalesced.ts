/**
 * The naive kernel with x and y exchanged: nothing else changes but the order in which threads meet
 * memory.
 */
import text from '../../../../shaders/matmul/coalesced.wgsl?raw'
import { matmulKernel, type Tile } from './matmul'

const TILE: Tile = {
  name: '16×16',
  rows: 16,
  columns: 16,
  depth: 1,
  threads: 256,
  storageBytes: 0,
  constants: { WORKGROUP_X: 16, WORKGROUP_Y: 16 },
}

/** Fewer rows than this leave tiles mostly empty; then nothing is gained by sharing them. */
const FEW_ROWS = 8

export const coalesced = matmulKernel({
  id: 'coalesced',
  title: 'Coalesced',
  text,
  access: 'own',
  tiles: [TILE],
  suits: ({ m }) => m < FEW_ROWS,
})
