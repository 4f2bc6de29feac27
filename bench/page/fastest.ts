/**
 * The lab's kernel for a shape: on a GPU the tile that was the fastest where it was measured
 * (bench/matmul-log.md), or the next that fits the device's workgroup memory.
 */
import { findMatmul, type MatmulKernel, type MatmulShape } from '../../src/gpu/kernels/catalog'

interface Device {
  /** By WebGPU name. */
  readonly limits: Readonly<Record<string, number>>
  readonly isSoftware: boolean
}

/** Up to so many rows B is read and hardly reused, so tiles lose (n = k = 4096). */
const MOST_ROWS = 16

/** Fits every device. */
const LARGE = '128×128×16 across'

const sliced = (tile: string, most: number): readonly string[] =>
  [most, most / 2, most / 4].map((slices) => tile + (slices === 1 ? '' : `, k in ${String(slices)}`))

/** Tiles of `specialised`, the best first. */
function tilesFor({ m, n, k }: MatmulShape): readonly string[] {
  if (m * n <= 64 ** 2 && k >= 2 ** 16) return ['32×64×16 across, k in 8, 128 parts']
  if (m <= 64 && k >= 1024) return ['64×256×16 across, 16 parts']
  if (m * n <= 768 ** 2) return sliced('32×64×16 across', 8)
  if (m * n < 2048 ** 2) return sliced(`64×128×16 ${n % 128 === 0 ? 'across' : 'down'}`, 4)
  return []
}

const withTile = (kernel: MatmulKernel, name: string): MatmulKernel => {
  const tile = kernel.tiles.find((each) => each.name === name)
  if (!tile) throw new Error(`${kernel.id} has no tile ${name}`)
  return kernel.withTile(tile)
}

export function fastestMatmul(shape: MatmulShape, device: Device): MatmulKernel {
  // A software adapter has no registers to keep 128 sums in.
  if (device.isSoftware) return findMatmul('direct', device)
  const [id, names] =
    shape.m <= MOST_ROWS
      ? (['vector-matrix', ['1×32×512', '1×32×256', '1×32×128']] as const)
      : (['specialised', [...tilesFor(shape), LARGE]] as const)
  const kernel = findMatmul(id, device)
  const { maxComputeInvocationsPerWorkgroup = 256, maxComputeWorkgroupStorageSize = 16384 } = device.limits
  const fitting = names
    .map((name) => withTile(kernel, name))
    .find((each) => {
      const { threads, storageBytes } = each.tileFor(shape)
      return threads <= maxComputeInvocationsPerWorkgroup && storageBytes <= maxComputeWorkgroupStorageSize
    })
  return (fitting ?? kernel).forShape(shape)
}
