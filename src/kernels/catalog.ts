/** The matmul kernels by id, from the simplest to the fastest: what the parameter 'kernel' of an experiment names. */
import { coalesced } from './matmul/coalesced'
import type { MatmulKernel } from './matmul/matmul'
import { naive } from './matmul/naive'
import { registerBlocked } from './matmul/register-blocked'
import { tiled } from './matmul/tiled'
import { vectorised } from './matmul/vectorised'

export type { MatmulKernel, MatmulShape, Tile } from './matmul/matmul'

export const matmulKernels: readonly MatmulKernel[] = [naive, coalesced, tiled, registerBlocked, vectorised]

/** Ids come from a parameter schema that lists them: another one is a bug. */
export function findMatmul(id: string): MatmulKernel {
  const found = matmulKernels.find((kernel) => kernel.id === id)
  if (!found)
    throw new Error(
      `There is no matmul kernel '${id}'; there are ${matmulKernels.map((kernel) => kernel.id).join(', ')}.`,
    )
  return found
}
