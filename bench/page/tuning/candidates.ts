/**
 * Lists the candidates of a shape in the order to try them: every kernel with every tile that the
 * device supports and that suits the shape. The order is a guess, good enough to meet the fast ones
 * first; trials decide. Pure.
 */
import type { Limits } from '../../../src/gpu/kernels/kernel'
import type { MatmulKernel, MatmulShape } from '../../../src/gpu/kernels/catalog'

export interface Candidate {
  /** With one tile for every shape. */
  readonly kernel: MatmulKernel
  /** 'Vectorised 128×128×16'. */
  readonly label: string
  /** Place on the ladder, simplest first: of two that are equally fast, the lower is chosen. */
  readonly rank: number
  /**
   * Floating-point operations of whole tiles, over those that the result needs: 1 where tiles fit,
   * 256 for one row in tiles of 256.
   */
  readonly padding: number
  readonly expected: number
}

export interface Refused {
  readonly kernel: MatmulKernel
  readonly label: string
  readonly reason: string
}

/**
 * Workgroups that keep a device busy. WebGPU does not say how many multiprocessors there are; large
 * GPUs have some 130.
 */
const FILLS_GPU = 128
/** A software adapter computes one workgroup a processor core. */
const FILLS_CORES = 4
/**
 * Each rung of the ladder is meant to be this much faster than the one below; that it is remains to
 * be seen.
 */
const RUNG = 1.25
/**
 * Values read or written for each multiply-add, weighed against the multiply-add itself: at 128 ×
 * 128 reading counts half as much.
 */
const READ_WEIGHT = 32

const labelOf = (kernel: MatmulKernel, tileName: string): string => `${kernel.title} ${tileName}`

function describe(
  kernel: MatmulKernel,
  shape: MatmulShape,
  rank: number,
  rungsAbove: number,
  isSoftware: boolean,
): Candidate {
  const { name, rows, columns, parts = 1 } = kernel.tileFor(shape)
  const workgroups = kernel.workgroups(shape).reduce((product, count) => product * count, 1)
  const padding = (workgroups * rows * columns) / (parts * shape.m * shape.n)
  const filled = Math.min(1, workgroups / (isSoftware ? FILLS_CORES : FILLS_GPU))
  // Sums of each part of k are written, and read again by the second dispatch.
  const partial = parts > 1 ? (2 * parts) / shape.k : 0
  const reading = 1 + READ_WEIGHT * (1 / rows + 1 / columns + partial)
  return {
    kernel,
    label: labelOf(kernel, name),
    rank,
    padding,
    expected: (padding * reading * RUNG ** rungsAbove) / filled,
  }
}

/**
 * Best guess first. Where nothing suits, all that the device supports is tried: something must
 * multiply.
 */
export function listCandidates(
  kernels: readonly MatmulKernel[],
  device: { readonly limits: Limits; readonly isSoftware: boolean },
  shape: MatmulShape,
): { readonly candidates: readonly Candidate[]; readonly refused: readonly Refused[] } {
  const candidates: Candidate[] = []
  const refused: Refused[] = []
  let rank = 0
  for (const [rung, family] of kernels.entries()) {
    const isSupported = (name: string) =>
      family.tiles.some(
        (tile) => tile.name === name && family.withTile(tile).supports(device, shape) === null,
      )
    for (const tile of family.tiles) {
      if ((tile.forSoftware && !device.isSoftware) || tile.suits?.(shape) === false) continue
      if (tile.standsInFor !== undefined && isSupported(tile.standsInFor)) continue
      const kernel = family.withTile(tile).forShape(shape)
      const reason = kernel.supports(device, shape)
      if (reason) refused.push({ kernel, label: labelOf(kernel, tile.name), reason })
      else candidates.push(describe(kernel, shape, rank, kernels.length - 1 - rung, device.isSoftware))
      rank += 1
    }
  }
  const suited = candidates.filter(({ kernel }) => kernel.suits(shape, device))
  const tried = suited.length > 0 ? suited : candidates
  return { candidates: tried.toSorted((one, other) => one.expected - other.expected), refused }
}
