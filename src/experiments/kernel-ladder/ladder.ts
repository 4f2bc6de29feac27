/**
 * One matmul size for all rungs, on one set of matrices: C += A·B, n × n. The slowest rung decides the size, since a size of its own
 * for each could not be compared.
 */
import { FaultError } from '../../base/fault'
import { USAGE, type Dispatch, type OwnedBuffer, type RunContext } from '../../engine'
import type { MatmulKernel, MatmulShape } from '../../kernels/catalog'
import { fillKernel } from '../../kernels/data/fill'
import { kernelCall } from '../../kernels/kernel'
import { createMatmul, type Matmul } from '../../lab/matmul'
import { rampClocks, timeEach } from '../calibrate'
import type { RunServices } from '../run-types'
import { largestSize, MAX_DISPATCH_MS, nextSize } from '../sizing'
import { dispatchesPerPass, wholeTiles } from './fit'

/** Of the fill kernel, for A and B: expectedProduct of matmul-workload.ts expects these. */
const SEEDS = [1, 2] as const
const F32_BYTES = 4
/** Below MAX_DISPATCH_MS with room for a rate that is off. */
const SLOWEST_MS = 30
/** Staging and readback buffers are of this size too: 64 MiB each. */
const LARGEST = 4096
const SMALLEST = 64
const MAX_ROUNDS = 8
/** Near enough: the same size for all is what counts. */
const CLOSE_ENOUGH = 0.25
/** The first rung may be as much slower than the usual kernel, whose rate is known (naive: 42 times on an H200). */
const SLOWER_AT_MOST = 64

export interface Rung {
  readonly id: string
  readonly matmul: Matmul
  /** Measured by calibration; the run measures again. */
  readonly ms: number
  /** In one pass, where the matrices stay on the device. */
  readonly times: number
}

export interface Ladder {
  readonly n: number
  readonly matrixBytes: number
  readonly a: OwnedBuffer
  readonly b: OwnedBuffer
  readonly c: OwnedBuffer
  readonly rungs: readonly Rung[]
  /** A and B as the seeds say, C = 0; awaited. */
  readonly reset: () => Promise<void>
}

/** What one size needs: matrices, fills and a dispatch for every kernel, freed together. */
async function build(context: RunContext, kernels: readonly MatmulKernel[], n: number) {
  const shape: MatmulShape = { m: n, n, k: n, alpha: 1, accumulate: true }
  const usage = USAGE.storage | USAGE.copySrc | USAGE.copyDst
  const buffer = (name: string) => context.buffer(`matmul ${name}`, n * n * F32_BYTES, usage)
  const [a, b, c] = [await buffer('A'), await buffer('B'), await buffer('C')]
  const fill = (target: OwnedBuffer, seed: number) =>
    context.dispatch(kernelCall(fillKernel, { count: n * n, seed }), [target])
  const fills = [await fill(a, SEEDS[0]), await fill(b, SEEDS[1])]
  const dispatches: Dispatch[] = []
  for (const kernel of kernels) dispatches.push(await context.dispatch(kernelCall(kernel, shape), [a, b, c]))
  const reset = async () => {
    const encoding = context.queue.encode('fill A and B, clear C')
    encoding.pass('fill', fills)
    encoding.clear(c)
    await context.queue.wait(context.queue.submit('fill A and B, clear C', [encoding]))
  }
  await reset()
  return {
    shape,
    a,
    b,
    c,
    dispatches,
    reset,
    release: () => {
      for (const { uniforms } of [...dispatches, ...fills]) context.release(uniforms)
      for (const each of [a, b, c]) context.release(each)
    },
  }
}

/** Where trials begin: near the end where a rate is known, and never at a size that would take too long. */
function firstSize(fixedSize: number, maxSize: number, matmulGflops: number | null): number {
  if (fixedSize > 0) return Math.min(fixedSize, SMALLEST)
  if (!matmulGflops) return SMALLEST
  const slowest = matmulGflops / SLOWER_AT_MOST
  return Math.max(SMALLEST, wholeTiles(Math.min(maxSize, 0.8 * Math.cbrt((SLOWEST_MS * slowest * 1e6) / 2))))
}

/** @param fixedSize exactly this size; 0 has it worked out from measured rates. Throws FaultError 'limit' where it is too slow. */
export async function prepareLadder(
  context: RunContext,
  kernels: readonly MatmulKernel[],
  fixedSize: number,
  services: Pick<RunServices, 'deviceStepNs' | 'isSoftware' | 'matmulGflops'>,
): Promise<Ladder> {
  const { deviceStepNs, isSoftware, matmulGflops } = services
  const maxSize = Math.min(LARGEST, largestSize(context.device.limits))
  let n = firstSize(fixedSize, maxSize, matmulGflops)
  let built = await build(context, kernels, n)
  let times = await timeEach(context, built.dispatches, deviceStepNs)
  for (let round = 1; round < MAX_ROUNDS; round += 1) {
    const slowest = Math.max(...times)
    // A size that was asked for is reached by doubling, so that one which would take seconds is never dispatched.
    const next =
      fixedSize > 0 ? Math.min(fixedSize, n * 2) : wholeTiles(nextSize(n, slowest, SLOWEST_MS, maxSize))
    if (next === n) break
    if (fixedSize > 0) assertBounded(fixedSize, slowest, n, next)
    else if (Math.abs(slowest / SLOWEST_MS - 1) < CLOSE_ENOUGH) break
    built.release()
    n = next
    built = await build(context, kernels, n)
    times = await timeEach(context, built.dispatches, deviceStepNs)
  }
  const [first] = built.dispatches
  if (first && !isSoftware) {
    await rampClocks(context, first, times[0] ?? SLOWEST_MS)
    times = await timeEach(context, built.dispatches, deviceStepNs)
  }
  const { a, b, c, shape, reset } = built
  return {
    n,
    matrixBytes: n * n * F32_BYTES,
    a,
    b,
    c,
    reset,
    rungs: kernels.flatMap((kernel, index) => {
      const dispatch = built.dispatches[index]
      const ms = times[index] ?? 0
      if (!dispatch) return []
      const matmul = createMatmul(context.session, dispatch, {
        label: `matmul ${kernel.id}`,
        rows: n,
        columns: n,
        c: c.gpu,
        flops: kernel.flops(shape),
        bytes: kernel.bytes(shape),
      })
      return [{ id: kernel.id, matmul, ms, times: dispatchesPerPass(ms, deviceStepNs) }]
    }),
  }
}

function assertBounded(size: number, tookMs: number, n: number, next: number): void {
  const nextMs = tookMs * (next / n) ** 3
  if (nextMs <= MAX_DISPATCH_MS) return
  const foretoldMs = tookMs * (size / n) ** 3
  throw new FaultError({
    code: 'limit',
    message: `The slowest of these kernels would take about ${foretoldMs.toPrecision(2)} ms for ${String(size)} × ${String(size)} here; ${String(MAX_DISPATCH_MS)} ms is the bound of one dispatch.`,
    hint: 'Leave out the slow kernels, choose a smaller matrix, or 0 to have it sized.',
    data: { size, foretoldMs, boundMs: MAX_DISPATCH_MS },
  })
}
