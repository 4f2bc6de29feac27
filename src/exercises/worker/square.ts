/** The matmul of an exercise: n × n, C += A·B, with operands made from the grading's seed. */
import { encodePass, STORAGE, type Dispatch, type OwnedBuffer, type RunContext } from '../../gpu'
import { sizeSquare } from '../../experiments/square-matmul'
import { shared } from '../../experiments/shared-params'
import { findMatmul } from '../../gpu/kernels/catalog'
import { fillKernel } from '../../gpu/kernels/data/fill'
import { kernelCall } from '../../gpu/kernels/kernel'
import { randomWord as seedFor } from '../../gpu/kernels/pcg'
import { squareMatmul } from '../../lab/matmul'
import type { ExerciseServices } from '../workload'

const F32_BYTES = 4

/** Random numbers into buffers, each from a seed, and zeros into others; awaited. */
export async function setBuffers(
  context: RunContext,
  filled: readonly (readonly [target: OwnedBuffer, seed: number])[],
  cleared: readonly OwnedBuffer[] = [],
): Promise<void> {
  const fills: Dispatch[] = []
  for (const [target, seed] of filled) {
    const count = target.sizeBytes / F32_BYTES
    fills.push(await context.dispatch(kernelCall(fillKernel, { count, seed }), [target]))
  }
  await context.queue.run('operands', (encoder) => {
    if (fills.length > 0) encodePass(encoder, 'fill', fills)
    for (const { gpu } of cleared) encoder.clearBuffer(gpu)
  })
  for (const { uniforms } of fills) context.release(uniforms)
}

export type SeededMatrices = Awaited<ReturnType<typeof seededMatrices>>

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

/** `c` is longer than n · n by the words that are asked for; `clear` makes it 0, awaited. */
export async function seededMatrices(context: RunContext, n: number, seed: number, wordsBehindC = 0) {
  const buffer = (name: string, words = n * n) => context.buffer(`matmul ${name}`, words * F32_BYTES, STORAGE)
  const [a, b, c] = [await buffer('A'), await buffer('B'), await buffer('C', n * n + wordsBehindC)]
  const clear = (): Promise<void> => setBuffers(context, [], [c])
  await setBuffers(context, [[a, seedFor(0, seed)], [b, seedFor(1, seed)]], [c]) // oxfmt-ignore
  return { n, a, b, c, clear }
}

/** The same with the usual kernel. */
export async function seededSquare(context: RunContext, n: number, seed: number, label: string) {
  const matrices = await seededMatrices(context, n, seed)
  const { a, b, c } = matrices
  const kernel = findMatmul(shared.kernel.default, context.device)
  const matmul = await squareMatmul(context, kernel, n, [a, b, c], label)
  return { ...matmul, ...matrices, matmul }
}

/** Different for every use of one grading's seed. */
export { seedFor }
