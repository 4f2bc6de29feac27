/**
 * A benchmark of three matmuls. The grader compares with the device's own time of the very passes
 * that the program ran.
 */
import { shared } from '../../../experiments/shared-params'
import { findMatmul } from '../../../gpu/kernels/catalog'
import { kernelCall } from '../../../gpu/kernels/kernel'
import { createMatmul } from '../../../lab/matmul'
import { noteEncodes } from '../../../exercises/worker/note-encodes'
import { seededMatrices, sizeFor } from '../../../exercises/worker/square'
import { runsOf, type PrepareExercise } from '../../../exercises/workload'
import { flopsOf, nameOf, shapesOf, type Benchmark } from './checks'

/**
 * The largest product takes so much of what a completion takes: a single product ends well before a
 * program is informed of it, so that one awaited product measures the wait, and 20 of the shortest
 * outlast it six times.
 */
const PRODUCT_SHARE = 0.6
/**
 * The most is that share of Firefox's 100 ms. All of a run's products, 21 of each of three shapes,
 * then take 2.9 s of the 5 that a call may.
 */
const PRODUCT_MS = { least: 1.8, most: 60 }
/**
 * A software adapter reports at once, but on a busy machine the thread that waits may get its turn
 * 20 ms late: 20 of the shortest take 140 ms.
 */
const SOFTWARE_PRODUCT_MS = 14
/** Half of it, and three quarters, are multiples of four, as the kernel's vectors are. */
const MULTIPLE = 16

export const prepare: PrepareExercise<Benchmark> = async (context, services) => {
  const { plan, seed, roundTripMs, isSoftware } = services
  const share = Math.min(PRODUCT_MS.most, Math.max(PRODUCT_MS.least, PRODUCT_SHARE * roundTripMs))
  const productMs = isSoftware ? Math.max(SOFTWARE_PRODUCT_MS, share) : share
  const sized = async () => MULTIPLE * Math.round((await sizeFor(context, services, productMs)) / MULTIPLE)
  const size = Number(plan?.['size'] ?? (await sized()))
  const { a, b, c } = await seededMatrices(context, size, seed)
  const kernel = findMatmul(shared.kernel.default, context.device)
  const products = await Promise.all(
    shapesOf(size).map(async (shape) => {
      const call = { ...shape, alpha: 1, accumulate: true }
      const dispatch = await context.dispatch(kernelCall(kernel, call), [a, b, c])
      const facts = { label: nameOf(shape), rows: shape.m, columns: shape.n, c: c.gpu }
      const work = { flops: flopsOf(shape), bytes: kernel.bytes(call) }
      const encodes = noteEncodes(context.session)
      const { encode } = encodes.lend(createMatmul(context.session, dispatch, { ...facts, ...work }))
      return { dispatch, encodes, given: { name: nameOf(shape), flops: work.flops, encode } }
    }),
  )
  return {
    plan: { size, productMs },
    given: products.map(({ dispatch }) => dispatch),
    runs: runsOf({
      name: 'benchmark',
      input: { shapes: products.map(({ given }) => given) },
      before: () => {
        for (const { encodes } of products) encodes.clear()
        return Promise.resolve()
      },
      find: () => ({ size, products: products.map(({ encodes }) => encodes.found().dispatches) }),
    }),
  }
}
