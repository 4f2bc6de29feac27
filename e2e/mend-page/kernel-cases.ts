/** Every WGSL kernel of the lab, each with a shape small enough for a software adapter. */
import type { LabDevice } from '../../src/gpu'
import { barriersKernel } from '../../src/gpu/kernels/calibrate/barriers'
import { fmaPeakKernel } from '../../src/gpu/kernels/calibrate/fma-peak'
import { scatterKernel } from '../../src/gpu/kernels/calibrate/scatter'
import { spinKernel } from '../../src/gpu/kernels/calibrate/spin'
import { streamCopyKernel } from '../../src/gpu/kernels/calibrate/stream-copy'
import { tickKernel } from '../../src/gpu/kernels/calibrate/tick'
import { matmulKernels } from '../../src/gpu/kernels/catalog'
import { chainKernel } from '../../src/gpu/kernels/data/chain'
import { fillKernel } from '../../src/gpu/kernels/data/fill'
import { gatherKernel } from '../../src/gpu/kernels/data/gather'
import { lossKernel } from '../../src/gpu/kernels/data/loss'
import { randomKernel } from '../../src/gpu/kernels/data/random'
import { sumKernel } from '../../src/gpu/kernels/data/sum'
import type { Kernel } from '../../src/gpu/kernels/kernel'

export interface KernelCase {
  // Its own shape goes with each kernel, see caseOf().
  readonly kernel: Kernel<unknown>
  readonly shape: unknown
  /** Words of each input, and of the output. */
  readonly inputs: readonly number[]
  readonly output: number
  /** Why a device can't run it; null where it can. */
  readonly needs: (device: LabDevice) => string | null
}

const caseOf = <Shape>(
  kernel: Kernel<Shape>,
  shape: Shape,
  inputs: readonly number[],
  output: number,
  needs: KernelCase['needs'] = () => null,
): KernelCase => ({
  kernel: kernel as Kernel<unknown>, // used with this shape alone
  shape,
  inputs,
  output,
  needs,
})

/** Rows in vectors of four, and rows of any length: they are joined with different files of shaders/lib. */
const FOURS = { m: 36, n: 40, k: 44, alpha: 0.5, accumulate: true }
const ANY = { ...FOURS, m: 35, n: 41, k: 43 }

/** With the smallest tile of each, which a software adapter compiles in a second or two. */
export const matmuls: readonly KernelCase[] = matmulKernels.flatMap((kernel) =>
  [FOURS, ANY].map((shape) => {
    const { m, n, k } = shape
    const [tile] = kernel.tiles
    const tiled = tile ? kernel.withTile(tile) : kernel
    return caseOf(tiled, shape, [m * k, k * n], m * n, (device) => tiled.supports(device, shape))
  }),
)

export const dataKernels: readonly KernelCase[] = [
  caseOf(chainKernel, { wordCount: 100, mask: 5, factor: 3 }, [1], 100),
  caseOf(fillKernel, { count: 1000, seed: 3 }, [], 1024),
  caseOf(gatherKernel, { wordCount: 64, seed: 3, outOffset: 0 }, [64], 256),
  caseOf(lossKernel, { steps: 4 }, [64, 4, 1], 1),
  caseOf(randomKernel, { count: 1000, seed: 3 }, [], 1024),
  caseOf(sumKernel, { count: 5000, factor: 0.5, parts: 2 }, [5000], 2),
]

export const calibrationKernels: readonly KernelCase[] = [
  caseOf(fmaPeakKernel, { workgroups: 1, iterations: 9, chains: 4 }, [], 256),
  caseOf(barriersKernel, { workgroups: 2, iterations: 9 }, [], 64),
  caseOf(scatterKernel, { workgroups: 1, iterations: 9, words: 64 }, [], 64),
  caseOf(spinKernel, { iterations: 50 }, [], 64),
  caseOf(streamCopyKernel, { count4: 16, addend: 1 }, [64], 64),
  caseOf(tickKernel, { mark: 7 }, [], 64),
]
