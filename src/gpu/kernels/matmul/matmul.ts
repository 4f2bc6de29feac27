/**
 * Shared by all matmul kernels: the shape, the uniforms, the work, and how a tile decides the rest.
 * C is m × n, A m × k, B k × n; all ≥ 1; f32, row-major, without padding.
 */
import { madeOnce } from '../../../base/lists'
import bFoursText from '../../../../shaders/lib/b-in-fours.wgsl?raw'
import bOneByOneText from '../../../../shaders/lib/b-one-by-one.wgsl?raw'
import anyText from '../../../../shaders/lib/matmul-any.wgsl?raw'
import foursText from '../../../../shaders/lib/matmul-fours.wgsl?raw'
import paramsText from '../../../../shaders/lib/matmul-params.wgsl?raw'
import givenText from '../../../../shaders/lib/shape-given.wgsl?raw'
import partsInFoursText from '../../../../shaders/lib/parts-in-fours.wgsl?raw'
import partsOneByOneText from '../../../../shaders/lib/parts-one-by-one.wgsl?raw'
import knownText from '../../../../shaders/lib/shape-known.wgsl?raw'
import sumText from '../../../../shaders/matmul/sum-parts.wgsl?raw'
import type { KernelCall } from '../..'
import {
  ceilDivide,
  packUniforms,
  type Kernel,
  type Workgroups,
  joinSource,
  type Source,
  type SourceFile,
} from '../kernel'

export interface MatmulShape {
  readonly m: number
  readonly n: number
  readonly k: number
  readonly alpha: number
  /**
   * C += alpha·A·B instead of C =: after N steps C must be N·alpha·A·B, so one check shows that
   * each ran exactly once.
   */
  readonly accumulate: boolean
}

const F32_BYTES = 4

/**
 * One way to cut the work of a kernel into workgroups, and the `override` constants that say so.
 */
export interface Tile {
  /** The name that people read, unique in its kernel: '128×128×16', rows × columns × depth. */
  readonly name: string
  /** Entries of C that one workgroup makes. */
  readonly rows: number
  readonly columns: number
  /** How far a workgroup goes along k in one step. */
  readonly depth: number
  /**
   * Divisors of m, n and k with which no load or store needs a bounds test, where these are smaller
   * than the whole tile.
   */
  readonly granule?: readonly [rows: number, columns: number, depth: number]
  /** Invocations of a workgroup, and the bytes of workgroup memory they share. */
  readonly threads: number
  readonly storageBytes: number
  readonly constants: Readonly<Record<string, number>>
  /**
   * WGSL joined before the kernel's own: the `const`s of this tile, where `override` will not do,
   * and what follows from them.
   */
  readonly headers?: readonly SourceFile[]
  /**
   * Parts of k over the grid: each writes a matrix of sums, and a second dispatch (sum-parts.wgsl)
   * adds them.
   */
  readonly parts?: number
  /** Software adapters get this tile unless someone chose one. */
  readonly forSoftware?: true
}

/** A tile whose workgroup shares as much of A and of B, f32, as one step along k needs. */
export const sharedTile = (
  [rows, columns, depth]: readonly [rows: number, columns: number, depth: number],
  threads: number,
  constants: Tile['constants'] = {},
): Tile => ({
  name: [rows, columns, depth].join('×'),
  rows,
  columns,
  depth,
  threads,
  storageBytes: (rows + columns) * depth * F32_BYTES,
  constants,
})

/** The WGSL by which a kernel reads A: where k is a multiple of 4, and elsewhere. */
interface ReadsA {
  readonly inFours: SourceFile
  readonly oneByOne: SourceFile
}

/** The parts of a device that decide its tile unless someone chose one. */
export interface SuitedDevice {
  readonly isSoftware: boolean
}

/** A kernel's own part; `matmulKernel` works out the rest from the tile. */
export interface MatmulFamily {
  readonly id: string
  readonly text: string
  /** From small to large. */
  readonly tiles: readonly [Tile, ...Tile[]]
  /** The tile where nobody chose one; if not given, the last. */
  readonly tileFor?: (shape: MatmulShape) => Tile
  /**
   * 'own': the WGSL declares its bindings itself. 'rows': it calls load_a, load_b and store_c of
   * shaders/lib, which come as vectors of four where n and k allow them, without tests where whole
   * tiles make up every matrix, and one by one elsewhere. ReadsA: it asks shaders/lib for the
   * shape, which is a constant or a uniform, and reads B and writes C by lib/b-….wgsl.
   */
  readonly access: 'own' | 'rows' | ReadsA
  /** The grid, for kernels whose workgroups do not lie as C does, columns in x and rows in y. */
  readonly workgroups?: (shape: MatmulShape, tile: Tile) => Workgroups
}

export interface MatmulKernel extends Kernel<MatmulShape> {
  readonly id: string
  readonly tiles: readonly Tile[]
  /** The tile that it uses for a shape. */
  readonly tileFor: (shape: MatmulShape) => Tile
  /** The same kernel with this tile for every shape; its label names the tile. */
  readonly withTile: (tile: Tile) => MatmulKernel
  /**
   * The same kernel for many products of this shape: a pipeline of its own where that pays. Other
   * shapes share one, as before.
   */
  readonly forShape: (shape: MatmulShape) => MatmulKernel
  /** With the tile that it has on this device where nobody chose one. */
  readonly on: (device: SuitedDevice) => MatmulKernel
  readonly constants: NonNullable<Kernel<MatmulShape>['constants']>
  /**
   * Floating-point operations that the result needs, a multiply-add counted as two: padding and
   * edges are not work.
   */
  readonly flops: (shape: MatmulShape) => number
  /** Bytes that must move at least: each input read once, each output written once. */
  readonly bytes: (shape: MatmulShape) => number
}

/** The smallest shape: what a kernel needs whatever the matrices. */
const UNIT_SHAPE: MatmulShape = { m: 1, n: 1, k: 1, alpha: 1, accumulate: false }

/**
 * Rows of A are k long, rows of B and C n: only multiples of four let a vector of four begin in
 * every row.
 */
const hasRowsOfFour = ({ n, k }: MatmulShape): boolean => n % 4 === 0 && k % 4 === 0

function isWhole({ m, n, k }: MatmulShape, tile: Tile): boolean {
  const [rows, columns, depth] = tile.granule ?? [tile.rows, tile.columns, tile.depth]
  return m % rows === 0 && n % columns === 0 && k % depth === 0
}

const isSameSize = (one: MatmulShape, other: MatmulShape): boolean =>
  one.m === other.m && one.n === other.n && one.k === other.k

const likeC = ({ m, n }: MatmulShape, { rows, columns, parts = 1 }: Tile): Workgroups => [
  ceilDivide(n, columns),
  ceilDivide(m, rows),
  parts,
]

const lib = (name: string, text: string): SourceFile => ({ file: `shaders/lib/${name}.wgsl`, text })
const kernelFile = (id: string, text: string): SourceFile => ({ file: `shaders/matmul/${id}.wgsl`, text })
const PARAMS = lib('matmul-params', paramsText)
const ROWS = { inFours: lib('matmul-fours', foursText), oneByOne: lib('matmul-any', anyText) }
const B = { inFours: lib('b-in-fours', bFoursText), oneByOne: lib('b-one-by-one', bOneByOneText) }
const SHAPE = { known: lib('shape-known', knownText), given: lib('shape-given', givenText) }

const SUM = {
  inFours: joinSource([PARAMS, lib('parts-in-fours', partsInFoursText), kernelFile('sum-parts', sumText)]),
  oneByOne: joinSource([
    PARAMS,
    lib('parts-one-by-one', partsOneByOneText),
    kernelFile('sum-parts', sumText),
  ]),
}
/** Threads of its workgroup, and workgroups of it side by side at most. */
const SUM_THREADS = 64
const SUM_ACROSS = 4096

function sumParts(shape: MatmulShape, parts: number): KernelCall['second'] {
  const { m, n } = shape
  const isFour = (m * n) % 4 === 0
  const groups = ceilDivide(m * n, isFour ? 4 * SUM_THREADS : SUM_THREADS)
  const across = Math.min(groups, SUM_ACROSS)
  const { code, locate } = isFour ? SUM.inFours : SUM.oneByOne
  return {
    call: {
      label: 'matmul/sum-parts',
      code,
      locate,
      constants: { ACCUMULATE: Number(shape.accumulate), PARTS: parts },
      uniforms: uniformsOf(shape),
      workgroups: [across, ceilDivide(groups, across), 1],
    },
    scratchBytes: parts * m * n * F32_BYTES,
  }
}

const uniformsOf = ({ m, n, k, alpha }: MatmulShape): ArrayBuffer =>
  packUniforms(['u32', m], ['u32', n], ['u32', k], ['f32', alpha])

function accessFiles(
  access: MatmulFamily['access'],
  shape: MatmulShape,
  known: boolean,
): readonly SourceFile[] {
  if (access === 'own') return []
  if (access === 'rows') return [hasRowsOfFour(shape) ? ROWS.inFours : ROWS.oneByOne]
  return [
    known ? SHAPE.known : SHAPE.given,
    shape.k % 4 === 0 ? access.inFours : access.oneByOne,
    shape.n % 4 === 0 ? B.inFours : B.oneByOne,
  ]
}

/** Joined once for each list of files, not for each shape. */
function sourcesOf({
  id,
  text,
  access,
}: MatmulFamily): (tile: Tile, shape: MatmulShape, known: boolean) => Source {
  const joined = new Map<string, Source>()
  return ({ headers = [] }, shape, known) => {
    const files = [PARAMS, ...accessFiles(access, shape, known), ...headers, kernelFile(id, text)]
    const key = files.map(({ file }) => file).join()
    return madeOnce(joined, key, () => joinSource(files))
  }
}

export function matmulKernel(family: MatmulFamily): MatmulKernel {
  const { id, tiles, access, workgroups = likeC } = family
  const sourceFor = sourcesOf(family)
  const edges = (shape: MatmulShape, tile: Tile) =>
    access === 'rows' && hasRowsOfFour(shape) ? { EDGES: Number(!isWhole(shape, tile)) } : {}

  type TileFor = (shape: MatmulShape) => Tile
  const withTiles = (
    label: string,
    tileFor: TileFor,
    inSoftware = tileFor,
    own: MatmulShape | null = null,
  ): MatmulKernel => {
    const isKnown = (shape: MatmulShape) =>
      typeof access === 'object' && own !== null && isSameSize(own, shape)
    return {
      id,
      label,
      tiles,
      tileFor,
      withTile: (tile) => withTiles(`matmul/${id} ${tile.name}`, () => tile),
      forShape: (shape) => withTiles(label, tileFor, inSoftware, shape),
      on: ({ isSoftware }) => withTiles(label, isSoftware ? inSoftware : tileFor),
      source:
        access === 'own'
          ? sourceFor(tiles[0], UNIT_SHAPE, false)
          : (shape) => sourceFor(tileFor(shape), shape, isKnown(shape)),
      constants: (shape) => {
        const tile = tileFor(shape)
        const { m, n, k } = shape
        const size = isKnown(shape) ? { M: m, N: n, K: k } : {}
        // Parts are whole matrices; what adds them accumulates.
        const store =
          tile.parts === undefined ? { ACCUMULATE: Number(shape.accumulate) } : { PARTS: tile.parts }
        return { ...store, ...size, ...edges(shape, tile), ...tile.constants }
      },
      uniforms: uniformsOf,
      workgroups: (shape) => workgroups(shape, tileFor(shape)),
      second: (shape) => {
        const { parts = 1 } = tileFor(shape)
        return parts > 1 ? sumParts(shape, parts) : undefined
      },
      flops: ({ m, n, k }) => 2 * m * n * k,
      bytes: ({ m, n, k, accumulate }) => F32_BYTES * (m * k + k * n + m * n * (accumulate ? 2 : 1)),
    }
  }
  const usual: TileFor = family.tileFor ?? (() => tiles.at(-1) ?? tiles[0])
  const softwareTile = tiles.find(({ forSoftware }) => forSoftware)
  return withTiles(`matmul/${id}`, usual, softwareTile ? () => softwareTile : usual)
}
