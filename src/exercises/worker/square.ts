/** The matmul of a mend: n × n, C += A·B, with operands made anew from a seed before each run. */
import { USAGE, type Dispatch, type OwnedBuffer, type RunContext } from '../../gpu'
import { sizeSquare } from '../../experiments/square-matmul'
import { shared } from '../../experiments/shared-params'
import { findMatmul } from '../../gpu/kernels/catalog'
import { fillKernel } from '../../gpu/kernels/data/fill'
import { kernelCall } from '../../gpu/kernels/kernel'
import { squareMatmul } from '../../lab/matmul'
import type { ExerciseServices } from '../workload'

const F32_BYTES = 4

export interface SeededMatrices {
  readonly n: number
  readonly a: OwnedBuffer
  readonly b: OwnedBuffer
  /** Longer than n · n by the words that were asked for. */
  readonly c: OwnedBuffer
  /** A and B from these seeds, C = 0; awaited. */
  readonly reset: (seedA: number, seedB: number) => Promise<void>
}

export interface SeededSquare extends SeededMatrices {
  readonly dispatch: Dispatch
  readonly flops: number
  readonly bytes: number
}

/** The n for which a kernel, the usual one where none is named, takes about so long here. */
export async function sizeFor(
  context: RunContext,
  services: ExerciseServices,
  targetMs: number,
  kernel: string = shared.kernel.default,
): Promise<number> {
  const { n, release } = await sizeSquare(context, [findMatmul(kernel, context.device)], {
    targetMs,
    deviceStepNs: services.deviceStepNs,
    matmulGflops: services.matmulGflops,
  })
  release()
  return n
}

export async function seededSquare(context: RunContext, n: number, label: string): Promise<SeededSquare> {
  const matrices = await seededMatrices(context, n)
  const { a, b, c } = matrices
  const kernel = findMatmul(shared.kernel.default, context.device)
  const { dispatch, flops, bytes } = await squareMatmul(context, kernel, n, [a, b, c], label)
  return { ...matrices, dispatch, flops, bytes }
}

export async function seededMatrices(
  context: RunContext,
  n: number,
  wordsBehindC = 0,
): Promise<SeededMatrices> {
  const { queue } = context
  const buffer = (name: string, words = n * n) =>
    context.buffer(`matmul ${name}`, words * F32_BYTES, USAGE.storage | USAGE.copySrc | USAGE.copyDst)
  const [a, b, c] = [await buffer('A'), await buffer('B'), await buffer('C', n * n + wordsBehindC)]
  return {
    n,
    a,
    b,
    c,
    reset: async (seedA, seedB) => {
      const fills: Dispatch[] = []
      for (const [target, seed] of [
        [a, seedA],
        [b, seedB],
      ] as const)
        fills.push(await context.dispatch(kernelCall(fillKernel, { count: n * n, seed }), [target]))
      const encoding = queue.encode('operands')
      encoding.pass('fill', fills)
      encoding.clear(c)
      await queue.wait(queue.submit('operands', [encoding]))
      for (const { uniforms } of fills) context.release(uniforms)
    },
  }
}

/** Different for every use of one grading's seed. */
export { randomWord as seedFor } from '../../gpu/kernels/pcg'
