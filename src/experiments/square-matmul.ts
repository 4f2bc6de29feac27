/**
 * Square matmuls C += A·B, n × n, f32, on one set of matrices, sized so that the slowest of the
 * kernels takes about a target time on this device. A and B are generated on the device from an
 * integer hash that the host can evaluate too.
 */
import { FaultError } from '../base/fault'
import { encodePass, STORAGE, type OwnedBuffer, type RunContext } from '../gpu'
import { findMatmul, type MatmulKernel } from '../gpu/kernels/catalog'
import { fillKernel } from '../gpu/kernels/data/fill'
import { kernelCall } from '../gpu/kernels/kernel'
import { keepBusy } from '../gpu/kernels/calibrate/keep-busy'
import { MAX_DISPATCH_MS, timeEach } from '../gpu/kernels/calibrate/timing'
import { seededOperands } from '../gpu/kernels/matmul/seeded-entry'
import type { ExpectedProduct } from '../lab/check-product'
import { squareMatmul } from '../lab/matmul'
import type { RunServices } from './run-types'
import { shared } from './shared-params'
import { largestSize, nextSize, roundSize, roundSizeInSoftware } from './sizing'

/** Seeds of A and B, for code that needs their values on the host. */
export const SEED_A = 1
export const SEED_B = 2
const F32_BYTES = 4
const MAX_ROUNDS = 8
/** Sizes are tried from here on where no rate is known. */
const FIRST_SIZE = 64
/** Another kernel than the usual one may be as much slower (naive: 42 times on an H200). */
const SLOWER_AT_MOST = 64
/**
 * Each size is timed after so much work of its own, ms: the device's clock has fallen while its
 * matrices were made.
 */
const BUSY_MS = 20

export interface SquareOptions extends Pick<RunServices, 'deviceStepNs'> {
  readonly targetMs: number
  /** Exactly this size, where it is above 0. */
  readonly fixedSize?: number | undefined
  /**
   * The rate of the usual kernel on this device, where it is known: sizing then begins near the
   * end.
   */
  readonly matmulGflops?: number | null
  readonly maxSize?: number
  readonly round?: (n: number) => number
  /** A time within this share of the target is near enough: the report has the measured time. */
  readonly closeEnough?: number
}

/** Makes matrices and a dispatch for every kernel of one size. They are freed together. */
async function build(context: RunContext, kernels: readonly MatmulKernel[], n: number) {
  const { queue } = context
  const buffer = (name: string) => context.buffer(`matmul ${name}`, n * n * F32_BYTES, STORAGE)
  const [a, b, c] = [await buffer('A'), await buffer('B'), await buffer('C')]
  const fill = (target: OwnedBuffer, seed: number) =>
    context.dispatch(kernelCall(fillKernel, { count: n * n, seed }), [target])
  const fills = [await fill(a, SEED_A), await fill(b, SEED_B)]
  // All at once: browsers compile side by side, and six kernels one after the other took 3.6 s with
  // the driver's cache cold (H200).
  const matmuls = await Promise.all(
    kernels.map((kernel) =>
      squareMatmul(context, kernel, n, [a, b, c], kernels.length > 1 ? `matmul ${kernel.id}` : undefined),
    ),
  )
  const dispatches = matmuls.map(({ dispatch }) => dispatch)
  /** C = 0, awaited; with 'operands' A and B are made anew too. */
  const reset = (what?: 'operands'): Promise<void> =>
    queue.run(what ? 'fill' : 'clear C', (encoder) => {
      if (what) encodePass(encoder, 'fill', fills)
      encoder.clearBuffer(c.gpu)
    })
  await reset('operands')
  await queue.collect()
  const release = () => {
    for (const { owned } of [...dispatches, ...fills]) for (const each of owned) context.release(each)
    for (const each of [a, b, c]) context.release(each)
  }
  return { n, a, b, c, matmuls, dispatches, reset, release }
}

/**
 * A size below the one that the known rate foretells: small matrices do not reach it, so that none
 * is dispatched that takes too long.
 */
function firstSize(
  kernels: readonly MatmulKernel[],
  { targetMs, matmulGflops, fixedSize = 0 }: SquareOptions,
  round: (n: number) => number,
  maxSize: number,
): number {
  if (fixedSize > 0) return Math.min(fixedSize, FIRST_SIZE)
  if (!matmulGflops) return FIRST_SIZE
  const isUsual = kernels.every(({ id }) => id === shared.kernel.default)
  const gflops = isUsual ? matmulGflops : matmulGflops / SLOWER_AT_MOST
  return Math.max(FIRST_SIZE, round(Math.min(maxSize, 0.8 * Math.cbrt((targetMs * gflops * 1e6) / 2))))
}

export type SquareMatmuls = Awaited<ReturnType<typeof sizeSquare>>

/** Throws FaultError 'limit' where a size that was asked for takes too long. */
export async function sizeSquare(
  context: RunContext,
  kernels: readonly MatmulKernel[],
  options: SquareOptions,
) {
  const { targetMs, deviceStepNs, fixedSize = 0, closeEnough = 0.08 } = options
  const round = options.round ?? (context.device.isSoftware ? roundSizeInSoftware : roundSize)
  const maxSize = Math.min(options.maxSize ?? Infinity, largestSize(context.device.limits))
  const start = firstSize(kernels, options, round, maxSize)
  let built = await build(context, kernels, start)
  let times = await timeEach(context, built.dispatches, deviceStepNs)
  const slowest = () => Math.max(...times)
  const finished = () => {
    const { n, a, b, c, matmuls, reset, release } = built
    const rungs = kernels.flatMap((kernel, index) => {
      const matmul = matmuls[index]
      /** `ms` of one by calibration: the run measures again. `matmul`: as programs encode it. */
      return matmul ? [{ kernel, matmul, ms: times[index] ?? 0 }] : []
    })
    return { n, a, b, c, rungs, reset, release }
  }
  const busy = async (oneMs: number, forMs?: number): Promise<void> => {
    const [first] = built.dispatches
    if (first) await keepBusy(context, first, oneMs, forMs)
  }
  const tryAgain = async () => {
    // A time at a cool clock says nothing about one at a warm clock.
    await busy(times[0] ?? targetMs)
    times = await timeEach(context, built.dispatches, deviceStepNs)
  }
  const grow = async (n: number): Promise<void> => {
    const foretoldMs = (times[0] ?? targetMs) * (n / built.n) ** 3
    built.release()
    built = await build(context, kernels, n)
    await busy(foretoldMs, BUSY_MS)
    times = await timeEach(context, built.dispatches, deviceStepNs)
  }

  if (fixedSize > 0) {
    // Reached by doubling (eight times the work), so that a size which would take seconds is
    // refused before it is ever dispatched.
    while (built.n < fixedSize) {
      const next = Math.min(fixedSize, built.n * 2)
      const isTooSlow = () => slowest() * (next / built.n) ** 3 > MAX_DISPATCH_MS
      // A busy machine may have paused a software adapter: then it is faster when timed again.
      if (isTooSlow()) {
        const again = await timeEach(context, built.dispatches, deviceStepNs)
        times = times.map((ms, index) => Math.min(ms, again[index] ?? ms))
      }
      if (isTooSlow()) throw tooSlow(kernels.length, fixedSize, slowest() * (fixedSize / built.n) ** 3)
      await grow(next)
    }
    if (!context.device.isSoftware) await tryAgain()
    return finished()
  }

  const tried = new Map<number, number>()
  let isWarm = context.device.isSoftware
  for (let rounds = 0; rounds < MAX_ROUNDS; rounds += 1) {
    tried.set(built.n, slowest())
    const next = nextSize(built.n, slowest(), targetMs, maxSize, round)
    const offBy = (ms: number): number => Math.abs(ms / targetMs - 1)
    if (offBy(slowest()) <= closeEnough || next === built.n) {
      if (isWarm) break
      isWarm = true
      tried.clear()
      await tryAgain()
      continue
    }
    // Between two sizes that were both tried, the nearer one is as good as it gets.
    const known = tried.get(next)
    if (known !== undefined && offBy(known) >= offBy(slowest())) break
    await grow(next)
    if (known !== undefined) break
  }
  return finished()
}

/** 16 MiB a matrix: several fit, and go through readbacks. */
const LARGEST_REPEATED = 2048
const MOST_TIMES = 256
/** A product is repeated so often, as a pass of a mend may (exercises/worker/note-encodes.ts). */
export const timesOf = (wanted: number): number => Math.max(1, Math.min(MOST_TIMES, Math.round(wanted)))

/**
 * A product that takes about `targetMs`: a longer one is repeated, and each of its `times`
 * dispatches adds A·B.
 */
export async function sizeRepeated(context: RunContext, options: SquareOptions) {
  const kernel = findMatmul(shared.kernel.default, context.device)
  const square = await sizeSquare(context, [kernel], { ...options, maxSize: LARGEST_REPEATED })
  const oneMs = Math.max(1e-3, square.rungs[0]?.ms ?? options.targetMs)
  const times = timesOf(options.targetMs / oneMs)
  return { square, oneMs, times, productMs: times * oneMs }
}

const tooSlow = (kernels: number, n: number, foretoldMs: number): FaultError =>
  new FaultError({
    code: 'limit',
    message: `A matrix of ${String(n)} × ${String(n)} would take ${kernels > 1 ? 'the slowest of these kernels ' : ''}about ${foretoldMs.toPrecision(2)} ms here; ${String(MAX_DISPATCH_MS)} ms is the bound of one dispatch.`,
    hint: `${kernels > 1 ? 'Leave out the slow kernels, choose' : 'Choose'} a smaller matrix, or 0 to have it sized.`,
    data: { size: n, foretoldMs, boundMs: MAX_DISPATCH_MS },
  })

/** C after `times` matmuls on the operands that the fill kernel made. */
export const expectedProduct = (n: number, times: number): ExpectedProduct => ({
  rows: n,
  columns: n,
  k: n,
  terms: [{ ...seededOperands({ n, k: n, seedA: SEED_A, seedB: SEED_B }), times }],
})
