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
  idea: 'Each thread computes a block of 4 × 4 entries and keeps its sums in registers, so that a value read from workgroup memory is used four times.',
  text,
  access: 'own',
  tiles: [square(8, 8), square(16, 16)],
})
