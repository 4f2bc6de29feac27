/**
 * The fastest of the ladder on a GPU: memory is read ahead into registers, and nothing in the inner
 * loop is clamped, so the size of its arrays is const: a line before the kernel's own.
 */
import text from '../../../../shaders/matmul/pipelined.wgsl?raw'
import { matmulKernel, sharedTile, type Tile } from './matmul'

/** A square of `side` × `side`, by as many threads. */
const tile = (side: number): Tile => ({
  ...sharedTile([side, side, 16], side),
  headers: [{ file: `the tile of ${String(side)}`, text: `const SIDE = ${String(side)}u;` }],
})

/**
 * 128 threads, each with 16 × 8 sums; 16,384 bytes of workgroup memory: all that every device has.
 */
const LARGE = tile(128)
/** 64 threads with 8 × 8 sums: four times as many workgroups. */
const MIDDLE = tile(64)
const LARGE_FROM = 2048

export const pipelined = matmulKernel({
  id: 'pipelined',
  text,
  access: 'rows',
  tiles: [MIDDLE, LARGE],
  tileFor: ({ m, n }) => (Math.min(m, n) >= LARGE_FROM ? LARGE : MIDDLE),
})
