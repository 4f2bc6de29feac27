/**
 * Each thread keeps 16 × 8 sums in registers and reads all memory in vectors of four. A workgroup
 * has 32 threads or 128, and 4 on a CPU.
 */
import text from '../../../../shaders/matmul/vectorised.wgsl?raw'
import { matmulKernel, sharedTile, type MatmulShape, type Tile } from './matmul'

const ROWS_PER_THREAD = 16
const COLUMNS_PER_THREAD = 8

/** `depth` must be a multiple of both numbers of threads: all threads load equally much. */
const tile = (threadsM: number, threadsN: number, depth: number): Tile =>
  sharedTile([ROWS_PER_THREAD * threadsM, COLUMNS_PER_THREAD * threadsN, depth], threadsM * threadsN, {
    THREADS_M: threadsM,
    THREADS_N: threadsN,
    TILE_K: depth,
  })

/**
 * For a software adapter, which computes four threads at once and compiles each kernel before its
 * first use: with one group of four and short loops SwiftShader compiles in 0.4 s instead of 1.1 s,
 * and is as fast (512 × 256 × 256 on two cores, Chromium 156).
 */
const FOUR_THREADS: Tile = { ...tile(2, 2, 4), forSoftware: true }
/** 8 KiB of workgroup memory. */
const SMALL = tile(4, 8, 16)
/** 16,384 bytes of workgroup memory: all that every device has. */
const LARGE = tile(8, 16, 16)
const LARGE_FROM = 1024

export const vectorised = matmulKernel({
  id: 'vectorised',
  text,
  access: 'rows',
  tiles: [FOUR_THREADS, SMALL, LARGE],
  // Large tiles where they fill a device, small ones where a large tile would mostly pad.
  tileFor: ({ m, n }: MatmulShape) => (Math.min(m, n) >= LARGE_FROM ? LARGE : SMALL),
})
