/**
 * One matmul size for all rungs, on one set of matrices: C += A·B, n × n. The slowest rung decides the size, since a size of its own
 * for each could not be compared. A and B are filled on the device, or uploaded; either way the host knows every entry.
 */
import { FaultError } from '../../base/fault'
import { USAGE, type Dispatch, type OwnedBuffer, type RunContext } from '../../engine'
import { findMatmul, type MatmulKernel, type MatmulShape } from '../../kernels/catalog'
import { fillKernel } from '../../kernels/data/fill'
import { kernelCall } from '../../kernels/kernel'
import { rampClocks, timeDispatch } from '../calibrate'
import type { DeviceFacts } from '../roofline-work'
import { largestSize, MAX_DISPATCH_MS, nextSize } from '../sizing'

export const SEEDS = { a: 1, b: 2 } as const
const F32_BYTES = 4
/** Below MAX_DISPATCH_MS with room for a rate that is off. */
const SLOWEST_MS = 30
/** Staging and readback buffers are of this size too: 64 MiB each. */
const LARGEST = 4096
const FIRST = 64
const MAX_ROUNDS = 8
/** From here on a size is a power of two or one and a half of it: whole tiles for every rung, so that edges are not what differs. */
const ROUND_FROM = 512
/** Near enough: the same size for all is what counts. */
const CLOSE_ENOUGH = 0.25
/** A pass lasts at least this, and 20 steps of the device's clock: a short kernel is dispatched several times in one. */
const LEAST_PASS_MS = 0.5
const QUANTA_PER_PASS = 20
/** Without timestamps the host's clock decides, which hears of an end some ms late. */
const LEAST_HOST_TIMED_PASS_MS = 20
const MAX_DISPATCHES = 64

export interface Rung {
  readonly id: string
  readonly dispatch: Dispatch
  /** Measured by calibration; the run measures again. */
  readonly ms: number
  /** In one pass, where the matrices stay on the device. */
  readonly dispatchesPerPass: number
}

export interface Ladder {
  readonly n: number
  readonly matrixBytes: number
  readonly flops: number
  readonly bytes: number
  readonly a: OwnedBuffer
  readonly b: OwnedBuffer
  readonly c: OwnedBuffer
  readonly rungs: readonly Rung[]
  /** A and B as the seeds say. */
  readonly fills: readonly Dispatch[]
}

function roundSize(n: number): number {
  if (n < ROUND_FROM) return n
  const power = 2 ** Math.floor(Math.log2(n))
  return n >= 1.5 * power ? 1.5 * power : power
}

/** What one size needs: matrices, fills and a dispatch for every kernel, freed together. */
async function build(context: RunContext, kernels: readonly MatmulKernel[], n: number) {
  const shape: MatmulShape = { m: n, n, k: n, alpha: 1, accumulate: true }
  const usage = USAGE.storage | USAGE.copySrc | USAGE.copyDst
  const buffer = (name: string) => context.buffer(`matmul ${name}`, n * n * F32_BYTES, usage)
  const [a, b, c] = [await buffer('A'), await buffer('B'), await buffer('C')]
  const fill = (target: OwnedBuffer, seed: number) =>
    context.dispatch(kernelCall(fillKernel, { count: n * n, seed }), [target])
  const fills = [await fill(a, SEEDS.a), await fill(b, SEEDS.b)]
  const encoding = context.queue.encode('fill')
  encoding.pass('fill', fills)
  await context.queue.wait(context.queue.submit('fill', [encoding]))
  await context.queue.collect()
  const dispatches: Dispatch[] = []
  for (const kernel of kernels) dispatches.push(await context.dispatch(kernelCall(kernel, shape), [a, b, c]))
  return {
    shape,
    a,
    b,
    c,
    fills,
    dispatches,
    release: () => {
      for (const { uniforms } of [...dispatches, ...fills]) context.release(uniforms)
      for (const each of [a, b, c]) context.release(each)
    },
  }
}

/** Kernels that run here, in the ladder's order, and why the others do not. Throws FaultError 'limit' where none does. */
export function usableKernels(
  context: RunContext,
  ids: readonly string[],
): { readonly kernels: readonly MatmulKernel[]; readonly leftOut: readonly string[] } {
  const kernels: MatmulKernel[] = []
  const leftOut: string[] = []
  for (const id of ids) {
    const kernel = findMatmul(id)
    const why = kernel.supports(context.device)
    if (why === null) kernels.push(kernel)
    else leftOut.push(`${id}: ${why}`)
  }
  if (kernels.length > 0) return { kernels, leftOut }
  throw new FaultError({
    code: 'limit',
    message: `None of the kernels runs on this adapter: ${leftOut.join(' ')}`,
    hint: 'Choose other kernels.',
  })
}

/** @param fixedSize exactly this size; 0 has it worked out from measured rates. Throws FaultError 'limit' where it is too slow. */
export async function prepareLadder(
  context: RunContext,
  kernels: readonly MatmulKernel[],
  fixedSize: number,
  facts: DeviceFacts,
): Promise<Ladder> {
  const maxSize = Math.min(LARGEST, largestSize(context.device.limits))
  const time = async (built: Awaited<ReturnType<typeof build>>): Promise<readonly number[]> => {
    const times: number[] = []
    for (const dispatch of built.dispatches)
      times.push((await timeDispatch(context, dispatch, facts.deviceStepNs)).ms)
    return times
  }
  let n = fixedSize > 0 ? Math.min(fixedSize, FIRST) : FIRST
  let built = await build(context, kernels, n)
  let times = await time(built)
  for (let round = 1; round < MAX_ROUNDS; round += 1) {
    const slowest = Math.max(...times)
    // A size that was asked for is reached by doubling, so that one which would take seconds is never dispatched.
    const next =
      fixedSize > 0 ? Math.min(fixedSize, n * 2) : roundSize(nextSize(n, slowest, SLOWEST_MS, maxSize))
    if (next === n) break
    if (fixedSize > 0) assertBounded(fixedSize, slowest, n, next)
    else if (Math.abs(slowest / SLOWEST_MS - 1) < CLOSE_ENOUGH) break
    built.release()
    n = next
    built = await build(context, kernels, n)
    times = await time(built)
  }
  const [first] = built.dispatches
  if (first && !facts.isSoftware) {
    await rampClocks(context, first, times[0] ?? SLOWEST_MS)
    times = await time(built)
  }
  const { a, b, c, fills, shape } = built
  const leastMs =
    facts.deviceStepNs === null
      ? LEAST_HOST_TIMED_PASS_MS
      : Math.max(LEAST_PASS_MS, (QUANTA_PER_PASS * facts.deviceStepNs) / 1e6)
  return {
    n,
    matrixBytes: n * n * F32_BYTES,
    flops: kernels[0]?.flops(shape) ?? 0,
    bytes: kernels[0]?.bytes(shape) ?? 0,
    a,
    b,
    c,
    fills,
    rungs: kernels.flatMap(({ id }, index) => {
      const dispatch = built.dispatches[index]
      const ms = times[index] ?? 0
      const dispatchesPerPass = Math.max(1, Math.min(MAX_DISPATCHES, Math.ceil(leastMs / ms)))
      return dispatch ? [{ id, dispatch, ms, dispatchesPerPass }] : []
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
