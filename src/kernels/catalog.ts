/** The matmul kernels by id, from the simplest to the fastest: what the parameter 'kernel' of an experiment names. */
import type { Kernel } from './kernel'
import type { MatmulShape } from './matmul/matmul'
import { naive } from './matmul/naive'
import { registerBlocked } from './matmul/register-blocked'
import { tiled } from './matmul/tiled'

export type { MatmulShape } from './matmul/matmul'

export const matmulKernels: readonly Kernel<MatmulShape>[] = [naive, tiled, registerBlocked]

/** Ids come from a parameter schema that lists them: another one is a bug. */
export function findMatmul(id: string): Kernel<MatmulShape> {
  const found = matmulKernels.find((kernel) => kernel.id === id)
  if (!found)
    throw new Error(
      `There is no matmul kernel '${id}'; there are ${matmulKernels.map((kernel) => kernel.id).join(', ')}.`,
    )
  return found
}
