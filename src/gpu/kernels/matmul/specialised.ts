/**
 * The fastest on a GPU: like `pipelined`, with larger blocks, and with the shape as constants where
 * that pays. A thread makes 8 lines of 8 or 16 sums; small matrices cut k into slices of a
 * workgroup, each with threads and tiles of its own, since only more threads help them.
 */
import aInFours from '../../../../shaders/lib/a-in-fours.wgsl?raw'
import aOneByOne from '../../../../shaders/lib/a-one-by-one.wgsl?raw'
import across from '../../../../shaders/lib/lines-across.wgsl?raw'
import down from '../../../../shaders/lib/lines-down.wgsl?raw'
import linesOf16 from '../../../../shaders/lib/lines-of-16.wgsl?raw'
import linesOf8 from '../../../../shaders/lib/lines-of-8.wgsl?raw'
import oneSlice from '../../../../shaders/lib/one-slice.wgsl?raw'
import severalSlices from '../../../../shaders/lib/several-slices.wgsl?raw'
import text from '../../../../shaders/matmul/specialised.wgsl?raw'
import type { SourceFile } from '../kernel'
import { matmulKernel, sharedTile, type Tile } from './matmul'

/** How a workgroup cuts its work: its tile, and 8 lines of so many sums for each thread. */
interface Blocks {
  readonly rows: number
  readonly columns: number
  /** Sums in a line. */
  readonly line: 8 | 16
  /** Along rows of C, or along columns. */
  readonly along: 'across' | 'down'
  /** Parts into which a workgroup cuts k. */
  readonly slices: number
}

const TILE_K = 16
/** Lanes side by side in a warp of 32. */
const LANES_N = 8
const LINES = { 8: linesOf8, 16: linesOf16 }
const ALONG = { across, down }

/** The `const`s that size nested arrays, and what follows from them. */
function headersOf({ rows, columns, line, along, slices }: Blocks, name: string): readonly SourceFile[] {
  const sizes = { ROWS: rows, COLUMNS: columns, TILE_K, SLICES: slices, LANES_N }
  const consts = Object.entries(sizes).map(([size, value]) => `const ${size} = ${String(value)}u;`)
  return [
    { file: `the tile ${name}`, text: consts.join('\n') },
    { file: `shaders/lib/lines-of-${String(line)}.wgsl`, text: LINES[line] },
    { file: `shaders/lib/lines-${along}.wgsl`, text: ALONG[along] },
    slices === 1
      ? { file: 'shaders/lib/one-slice.wgsl', text: oneSlice }
      : { file: 'shaders/lib/several-slices.wgsl', text: severalSlices },
  ]
}

function tile(blocks: Blocks, parts?: number): Tile {
  const { rows, columns, line, along, slices } = blocks
  const sliced = slices === 1 ? '' : `, k in ${String(slices)}`
  const parted = parts === undefined ? '' : `, ${String(parts)} parts`
  const name = `${String(rows)}×${String(columns)}×${String(TILE_K)} ${along}${sliced}${parted}`
  return {
    ...sharedTile([rows, columns, TILE_K * slices], ((rows * columns) / (8 * line)) * slices),
    name,
    headers: headersOf(blocks, name),
    ...(parts === undefined ? {} : { parts }),
  }
}

const LARGE = tile({ rows: 128, columns: 128, line: 16, along: 'across', slices: 1 })
/** 48 KB of workgroup memory with all slices, and half or a quarter of that. */
const sliced = (blocks: Blocks): readonly Tile[] =>
  [4, 2, 1].map((factor) => tile({ ...blocks, slices: blocks.slices / factor }))

/**
 * Few tiles and a long k: workgroups enough only where the grid cuts k. Measured on an H200 at
 * 64×4096×4096: 16 tiles.
 */
const WIDE = tile({ rows: 64, columns: 256, line: 16, along: 'across', slices: 1 }, 16)
/** And at 32×32×4194304: one tile. */
const LONG = tile({ rows: 32, columns: 64, line: 8, along: 'across', slices: 8 }, 128)

export const specialised = matmulKernel({
  id: 'specialised',
  text,
  access: {
    inFours: { file: 'shaders/lib/a-in-fours.wgsl', text: aInFours },
    oneByOne: { file: 'shaders/lib/a-one-by-one.wgsl', text: aOneByOne },
  },
  tiles: [
    LARGE,
    ...sliced({ rows: 32, columns: 64, line: 8, along: 'across', slices: 8 }),
    ...sliced({ rows: 64, columns: 128, line: 16, along: 'across', slices: 4 }),
    ...sliced({ rows: 64, columns: 128, line: 16, along: 'down', slices: 4 }),
    WIDE,
    LONG,
  ],
  tileFor: () => LARGE,
})
