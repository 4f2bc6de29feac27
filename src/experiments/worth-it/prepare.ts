/**
 * Prepares the same products by the CPU, by the device with transfers there and back, and by the
 * device on what is already there. Sizes go as far as this machine is fast enough for them, and as
 * many are run as the time at hand allows.
 */
import { FaultError } from '../../base/fault'
import { type RunContext, STORAGE } from '../../gpu'
import { type Multiply, openProcessor } from '../../gpu/kernels/cpu/processor'
import { keepBusy } from '../../gpu/kernels/calibrate/keep-busy'
import { timeDispatch } from '../../gpu/kernels/calibrate/timing'
import type { Prepare, Variant } from '../run-types'
import type { worthIt } from './meta'
import { longestOnCpu, longestOnDevice, planRun, timeSizes } from './plan'
import { writeCounts } from '../evidence'
import { CPU, type Place, RESIDENT, ROUND_TRIP, sizedOf, variantOf } from './variants'
import { findMatmul } from '../../gpu/kernels/catalog'
import {
  checkProduct,
  checkProductOnDevice,
  mergeVerifications,
  positionsOf,
  type ExpectedProduct,
} from '../../lab/check-product'
import { squareMatmul } from '../../lab/matmul'
import { createOperands } from '../../lab/operands'
import { createReadback, createStaging } from '../../lab/staging'

/**
 * The variants that multiply: operands in host memory, three matrices on the device that all sizes
 * share, and checks of every product.
 */

/** Operands before they come round again: no two operations in a row have the same product. */
const CYCLE = 8
/** Dispatches in one pass: encoding must not hold the host up for long. */
const DISPATCHES_A_PASS = 256
const SAMPLED = {
  samples: 32,
  what: 'sampled entries of each product, of the CPU and of the device, against a float64 reference',
}

/** An operation is `uses` matmuls on one pair of matrices. */
async function openProducts(
  context: RunContext,
  multiply: Multiply,
  { kernel, uses, largest }: { readonly kernel: string; readonly uses: number; readonly largest: number },
) {
  const words = largest * largest
  const [poolA, poolB] = [createOperands(words, CYCLE, 1), createOperands(words, CYCLE, 2)]
  const a = await context.buffer('matrix A', 4 * words, STORAGE)
  const b = await context.buffer('matrix B', 4 * words, STORAGE)
  const c = await context.buffer('matrix C', 4 * words, STORAGE)
  // Each variant maps only the bytes it carries, because browsers carry all that is mapped.
  const staging = await createStaging(context, 2, 4 * words)
  const readback = await createReadback(context, 4 * words)

  const pairAt = (operation: number, n: number) =>
    [poolA.of(operation % CYCLE, n * n), poolB.of(operation % CYCLE, n * n)] as const
  const productOf = ([left, right]: ReturnType<typeof pairAt>, n: number, times: number): ExpectedProduct => {
    const aAt = (row: number, k: number) => left[row * n + k] ?? Number.NaN
    const bAt = (k: number, column: number) => right[k * n + column] ?? Number.NaN
    return { rows: n, columns: n, k: n, terms: [{ aAt, bAt, times }] }
  }
  const matmulOf = (n: number) => squareMatmul(context, findMatmul(kernel, context.device), n, [a, b, c])

  /**
   * Counts on through the whole run, so that a product left over from another window is found
   * wrong.
   */
  let next = 0
  /**
   * Its program returns the product of each pair; the device adds one up for each use. `map` maps
   * what it fills.
   */
  const returning = (
    place: Place,
    n: number,
    count: number,
    given: object,
    map = () => Promise.resolve(),
  ) => {
    const pairsFrom = (first: number) => Array.from({ length: count }, (_, index) => pairAt(first + index, n))
    const input = { ...given, n, uses, pairs: pairsFrom(0) }
    return {
      name: variantOf(place, n),
      input,
      before: () => {
        input.pairs = pairsFrom(next)
        next += count + 1
        return map()
      },
      check: (output: unknown) => {
        const products = floatsIn(output)
        const positions = positionsOf({ rows: n, columns: n }, SAMPLED.samples, n)
        const checks = input.pairs.map((pair, index) => {
          const got = positions.map(([row, column]) => products[index]?.[row * n + column] ?? Number.NaN)
          return checkProduct(productOf(pair, n, place === CPU ? 1 : uses), positions, got, SAMPLED.what)
        })
        return Promise.resolve(mergeVerifications(checks))
      },
    }
  }
  const roundTrip = async (n: number, count: number): Promise<Variant> => {
    const bytes = 4 * n * n
    const buffers = { a: a.gpu, b: b.gpu, c: c.gpu, staging: staging.buffers, readback }
    const given = { ...buffers, matmul: await matmulOf(n), bytes }
    return returning(ROUND_TRIP, n, count, given, () => staging.map(2, bytes))
  }
  const resident = async (n: number, count: number): Promise<Variant> => {
    const operands = pairAt(0, n)
    const times = count * uses
    const passes = Array.from({ length: Math.ceil(times / DISPATCHES_A_PASS) }, (_, pass) =>
      Math.min(DISPATCHES_A_PASS, times - pass * DISPATCHES_A_PASS),
    )
    return {
      name: variantOf(RESIDENT, n),
      input: { matmul: await matmulOf(n), passes },
      before: async () => {
        context.device.gpu.queue.writeBuffer(a.gpu, 0, operands[0])
        context.device.gpu.queue.writeBuffer(b.gpu, 0, operands[1])
        await context.queue.clear(c)
      },
      check: () => checkProductOnDevice(context, c, productOf(operands, n, times), { ...SAMPLED, seed: n }),
    }
  }
  return {
    multiply: (n: number) => multiply(...pairAt(0, n), n),
    matmulOf,
    /** A variant of each place, with so many operations in a window. */
    variants: {
      [CPU]: (n: number, count: number) => returning(CPU, n, count, { multiply }),
      [ROUND_TRIP]: roundTrip,
      [RESIDENT]: resident,
    },
  }
}

/** The arrays that a program returned; what is missing is found by the check. */
const floatsIn = (output: unknown): readonly (Float32Array | undefined)[] =>
  Array.isArray(output) ? output.map((one: unknown) => (one instanceof Float32Array ? one : undefined)) : []

/**
 * Calls are timed for so long: compilers and caches have settled, and all sizes take a fraction of
 * a second.
 */
const SETTLED_MS = 5
const MAX_CALLS = 1000

export const prepare: Prepare<typeof worthIt> = async (
  context,
  values,
  { say, deviceStepNs, roundTripMs },
  variants,
) => {
  const { uses, kernel } = values
  const sizes = values.sizes.map(Number)
  const largest = Math.max(...sizes)
  say("loading the CPU's matmul")
  const { library, threads, note, multiply } = await context.race(
    openProcessor(navigator.hardwareConcurrency, globalThis.crossOriginIsolated),
  )
  const work = await openProducts(context, multiply, { kernel, uses, largest })

  say('measuring the CPU')
  const onCpu = await timeSizes(sizes, longestOnCpu(uses), (n) => timeCalls(context, () => work.multiply(n)))
  say('measuring the device')
  const dispatchOf = async (n: number) => (await work.matmulOf(n)).dispatch
  const onDevice = await timeSizes(sizes, longestOnDevice(uses), async (n) => {
    const { ms } = await timeDispatch(context, await dispatchOf(n), deviceStepNs)
    return ms
  })
  const plan = planRun({ ...values, sizes }, roundTripMs, onCpu, onDevice)
  if (!plan)
    throw new FaultError({
      code: 'limit',
      message: `Even ${String(uses)} × the product of the smallest matrices takes too long here, on the CPU or on the device.`,
      hint: 'Choose smaller sizes, or fewer matmuls on each upload.',
      data: { size: Math.min(...sizes), uses },
    })
  // Clocks that had cooled down ramp up under load; a software adapter has none.
  for (const [n, ms] of [...onDevice].slice(-1)) await keepBusy(context, await dispatchOf(n), ms)

  const { counts, repeats } = plan
  const ready: Variant[] = []
  for (const name of variants) {
    const [sized, count] = [sizedOf(name), counts.get(name)]
    if (sized && count !== undefined) ready.push(await work.variants[sized.place](sized.n, count))
  }
  return {
    derived: {
      processorLibrary: library,
      processorThreads: threads,
      processorNote: note,
      operationsPerWindow: writeCounts(counts),
      sizesLeftOut: plan.leftOut.join(' '),
    },
    repeats,
    variants: ready,
  }
}

/** The mean of some calls, ms; the first, which pays for memory, does not count. */
async function timeCalls(context: RunContext, call: () => Promise<unknown>): Promise<number> {
  await context.breathe()
  await call()
  await context.breathe()
  const startNs = context.session.now()
  for (let calls = 1; ; calls += 1) {
    await call()
    const ms = (context.session.now() - startNs) / 1e6
    if (ms >= SETTLED_MS || calls === MAX_CALLS) return ms / calls
  }
}
