/**
 * Each thread keeps 16 × 8 sums in registers. One WGSL, tuned to the shape by override constants: large tiles where they fill the
 * device, small ones where a large tile would mostly pad; vectors of four where rows allow them; no tests where tiles fit.
 */
import anyText from '../../../shaders/matmul/register-blocked-any.wgsl?raw'
import text from '../../../shaders/matmul/register-blocked.wgsl?raw'
import { ceilDivide, exceededLimit } from '../kernel'
import { matmulKernel, UNIT_SHAPE, type MatmulShape } from './matmul'

const ROWS_PER_THREAD = 16
const COLUMNS_PER_THREAD = 8

interface Tile {
  readonly threadsM: number
  readonly threadsN: number
  readonly k: number
}
/** 128 × 128 entries of C by 128 threads; 2 · 128 · 16 · 4 = 16,384 bytes of workgroup memory: all that every device has. */
const LARGE: Tile = { threadsM: 8, threadsN: 16, k: 16 }
/** 64 × 64 entries by 32 threads, 8 KiB. */
const SMALL: Tile = { threadsM: 4, threadsN: 8, k: 16 }
const LARGE_FROM = 1024

const tileOf = ({ m, n }: MatmulShape): Tile => (Math.min(m, n) >= LARGE_FROM ? LARGE : SMALL)
const tileM = (tile: Tile): number => tile.threadsM * ROWS_PER_THREAD
const tileN = (tile: Tile): number => tile.threadsN * COLUMNS_PER_THREAD

function workgroups(shape: MatmulShape) {
  const tile = tileOf(shape)
  return [ceilDivide(shape.n, tileN(tile)), ceilDivide(shape.m, tileM(tile)), 1] as const
}

export const registerBlocked = matmulKernel({
  id: 'register-blocked',
  text,
  more: [{ file: 'shaders/matmul/register-blocked-any.wgsl', text: anyText }],
  // Rows of A are k long, rows of B and C n: only multiples of four let a vector of four begin in every row.
  entryPoint: ({ n, k }) => (n % 4 === 0 && k % 4 === 0 ? 'main' : 'main_any'),
  constants: (shape) => {
    const tile = tileOf(shape)
    const wholeTiles = shape.m % tileM(tile) === 0 && shape.n % tileN(tile) === 0 && shape.k % tile.k === 0
    return { EDGES: Number(!wholeTiles), THREADS_M: tile.threadsM, THREADS_N: tile.threadsN, TILE_K: tile.k }
  },
  workgroups,
  supports: (limits, shape = UNIT_SHAPE) => {
    const tile = tileOf(shape)
    return exceededLimit(limits, {
      invocations: tile.threadsM * tile.threadsN,
      storageBytes: (tileM(tile) + tileN(tile)) * tile.k * 4,
      workgroups: workgroups(shape),
    })
  },
})
