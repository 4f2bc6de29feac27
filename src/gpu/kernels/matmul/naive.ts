/**
 * The loop nest as it stands, one thread for each entry of C: what the others are measured against.
 */
import text from '../../../../shaders/matmul/naive.wgsl?raw'
import { ceilDivide } from '../kernel'
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

export const naive = matmulKernel({
  id: 'naive',
  title: 'Naive',
  text,
  access: 'own',
  tiles: [TILE],
  // A yardstick: `coalesced` does the same work with fewer cache lines.
  suits: () => false,
  // Rows in x: that is the point of it.
  workgroups: ({ m, n }, { rows, columns }) => [ceilDivide(m, rows), ceilDivide(n, columns), 1],
})
