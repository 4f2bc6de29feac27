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
import { ceilDivide } from '../kernel'
import type { SourceFile } from '../source'
import { matmulKernel, type Tile } from './matmul'

/** Above this many workgroups a grid that cuts k would fill a device with fewer parts, too. */
const MOST_PARTED = 1024
/** Fewer steps than this for a part are not worth a second dispatch. */
const PART_STEPS = 4

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

function tile(blocks: Blocks, more: Pick<Tile, 'knowsShape' | 'standsInFor' | 'parts' | 'suits'> = {}): Tile {
  const { rows, columns, line, along, slices } = blocks
  const sliced = slices === 1 ? '' : `, k in ${String(slices)}`
  const parted = more.parts === undefined ? '' : `, ${String(more.parts)} parts`
  const name = `${String(rows)}×${String(columns)}×${String(TILE_K)} ${along}${sliced}${parted}`
  return {
    name,
    rows,
    columns,
    depth: TILE_K * slices,
    threads: ((rows * columns) / (8 * line)) * slices,
    // A tile of A and one of B for each slice, f32.
    storageBytes: (rows + columns) * TILE_K * 4 * slices,
    constants: {},
    headers: headersOf(blocks, name),
    ...more,
  }
}

const LARGE = tile({ rows: 128, columns: 128, line: 16, along: 'across', slices: 1 }, { knowsShape: true })
/** 48 KB of workgroup memory with all slices, and half or a quarter of that. */
function sliced(blocks: Blocks): readonly Tile[] {
  const most = tile(blocks, { knowsShape: true })
  const fewer = [2, 4].map((factor) =>
    tile({ ...blocks, slices: blocks.slices / factor }, { knowsShape: true, standsInFor: most.name }),
  )
  return [...fewer, most]
}

/** Few tiles and a long k: workgroups enough only where the grid cuts k. */
function parted(blocks: Blocks, parts: number): Tile {
  const { rows, columns, slices } = blocks
  return tile(blocks, {
    parts,
    knowsShape: true,
    suits: ({ m, n, k }) =>
      2 * m > rows &&
      ceilDivide(m, rows) * ceilDivide(n, columns) * parts <= MOST_PARTED &&
      k >= parts * PART_STEPS * slices * TILE_K,
  })
}
/** Measured on an H200 at 64×4096×4096: 16 tiles. */
const WIDE = parted({ rows: 64, columns: 256, line: 16, along: 'across', slices: 1 }, 16)
/** And at 32×32×4194304: one tile. */
const LONG = parted({ rows: 32, columns: 64, line: 8, along: 'across', slices: 8 }, 128)

export const specialised = matmulKernel({
  id: 'specialised',
  title: 'Specialised',
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
  // Software has no registers to keep 128 sums in, and compiles the written-out loop for seconds.
  suits: (_, { isSoftware }) => !isSoftware,
})
