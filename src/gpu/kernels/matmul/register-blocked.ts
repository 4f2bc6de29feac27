/**
 * Each thread makes 4 × 4 entries of C at once: a value that was read serves four sums in
 * registers.
 */
import text from '../../../../shaders/matmul/register-blocked.wgsl?raw'
import { matmulKernel, type Tile } from './matmul'

const PER_THREAD = 4

function square(threads: number, depth: number): Tile {
  const side = PER_THREAD * threads
  return {
    name: `${String(side)}×${String(side)}×${String(depth)}`,
    rows: side,
    columns: side,
    depth,
    threads: threads * threads,
    storageBytes: 2 * side * depth * 4,
    constants: { THREADS: threads, TILE_K: depth },
  }
}

export const registerBlocked = matmulKernel({
  id: 'register-blocked',
  title: 'Register-blocked',
  text,
  access: 'own',
  tiles: [square(8, 8), square(16, 16)],
})
