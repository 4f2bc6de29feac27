/** The matmul kernels by id. Experiments name those of the ladder. */
import { direct } from './matmul/direct'
import type { MatmulKernel, SuitedDevice } from './matmul/matmul'
import { pipelined } from './matmul/pipelined'
import { coalesced, naive, registerBlocked, tiled } from './matmul/rungs'
import { specialised } from './matmul/specialised'
import { vectorMatrix } from './matmul/vector-matrix'
import { vectorised } from './matmul/vectorised'

export type { MatmulKernel, MatmulShape, SuitedDevice } from './matmul/matmul'

/** From the simplest to the fastest, each with one idea more. */
const ladder: readonly MatmulKernel[] = [naive, coalesced, tiled, registerBlocked, vectorised, pipelined]

/**
 * The ladder, kernels for shapes of their own, and the fastest for all others. Tests run all.
 * @internal
 */
export const matmulKernels: readonly MatmulKernel[] = [...ladder, direct, vectorMatrix, specialised]

/**
 * The kernel with the tile that suits the device. Ids come from a parameter schema that lists them:
 * another one is a bug.
 */
export function findMatmul(id: string, device: SuitedDevice): MatmulKernel {
  const found = matmulKernels.find((kernel) => kernel.id === id)
  if (!found)
    throw new Error(
      `There is no matmul kernel '${id}'; there are ${matmulKernels.map((kernel) => kernel.id).join(', ')}.`,
    )
  return found.on(device)
}
