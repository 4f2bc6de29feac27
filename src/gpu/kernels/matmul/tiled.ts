/**
 * One thread for each entry of C; tiles of A and B are shared through workgroup memory, so memory
 * is read TILE times less.
 */
import text from '../../../../shaders/matmul/tiled.wgsl?raw'
import { matmulKernel, type Tile } from './matmul'

/**
 * A square of threads; both tiles in f32. 16 · 16 = 256 threads are as many as every device takes.
 */
const square = (side: number): Tile => ({
  name: `${String(side)}×${String(side)}×${String(side)}`,
  rows: side,
  columns: side,
  depth: side,
  threads: side * side,
  storageBytes: 2 * side * side * 4,
  constants: { TILE: side },
})

export const tiled = matmulKernel({
  id: 'tiled',
  title: 'Tiled',
  text,
  access: 'own',
  tiles: [square(8), square(16)],
})
