/**
 * The fastest of the ladder on a GPU: memory is read ahead into registers, and nothing in the inner
 * loop is clamped, so the sizes of its arrays are const and each tile has a header of its own.
 * Shapes that fill few workgroups cut k into slices within a workgroup (CUTLASS: sliced-K): the
 * same threads as more workgroups would have, without sums through memory.
 */
import side128 from '../../../../shaders/lib/pipelined-128-by-1.wgsl?raw'
import side32 from '../../../../shaders/lib/pipelined-32-by-1.wgsl?raw'
import side32by2 from '../../../../shaders/lib/pipelined-32-by-2.wgsl?raw'
import side32by4 from '../../../../shaders/lib/pipelined-32-by-4.wgsl?raw'
import side64 from '../../../../shaders/lib/pipelined-64-by-1.wgsl?raw'
import side64by2 from '../../../../shaders/lib/pipelined-64-by-2.wgsl?raw'
import side64by4 from '../../../../shaders/lib/pipelined-64-by-4.wgsl?raw'
import text from '../../../../shaders/matmul/pipelined.wgsl?raw'
import { matmulKernel, sharedTile, type Tile } from './matmul'

const TILE_K = 16

function tile(side: number, slices: number, header: string): Tile {
  const sliced = slices === 1 ? '' : `, k in ${String(slices)}`
  return {
    ...sharedTile([side, side, TILE_K * slices], side * slices),
    name: `${String(side)}×${String(side)}×${String(TILE_K)}${sliced}`,
    headers: [{ file: `shaders/lib/pipelined-${String(side)}-by-${String(slices)}.wgsl`, text: header }],
  }
}

/**
 * 128 threads, each with 16 × 8 sums; 16,384 bytes of workgroup memory: all that every device has.
 */
const LARGE = tile(128, 1, side128)
/** 64 threads with 8 × 8 sums: four times as many workgroups. */
const MIDDLE = tile(64, 1, side64)
const LARGE_FROM = 2048

export const pipelined = matmulKernel({
  id: 'pipelined',
  title: 'Pipelined',
  text,
  access: 'rows',
  tiles: [
    tile(32, 1, side32),
    tile(32, 2, side32by2),
    tile(32, 4, side32by4),
    MIDDLE,
    tile(64, 2, side64by2),
    tile(64, 4, side64by4),
    LARGE,
  ],
  tileFor: ({ m, n }) => (Math.min(m, n) >= LARGE_FROM ? LARGE : MIDDLE),
})
