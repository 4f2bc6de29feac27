/** The variants that multiply: operands in host memory, three matrices on the device that all sizes share, and checks of every product. */
import { USAGE, type RunContext } from '../../engine'
import { findMatmul } from '../../kernels/catalog'
import type { Multiply } from '../../kernels/cpu/processor'
import {
  checkProduct,
  checkProductOnDevice,
  mergeVerifications,
  positionsOf,
  type ExpectedProduct,
} from '../../lab/check-product'
import { squareMatmul } from '../../lab/matmul'
import { createOperands } from '../../lab/operands'
import type { Variant } from '../run-types'
import { floatsIn, type Ring } from './transfers'
import { CPU, RESIDENT, ROUND_TRIP, sizedVariant, type Place } from './variants'

/** Operands before they come round again: no two operations in a row have the same product. */
const CYCLE = 8
const SAMPLES = 32
/** Dispatches in one pass: encoding must not hold the host up for long. */
const DISPATCHES_A_PASS = 256
const WHAT = 'sampled entries of each product, of the CPU and of the device, against a float64 reference'

/** An operation is `uses` matmuls on one pair of matrices. */
export async function openProducts(
  context: RunContext,
  multiply: Multiply,
  { kernel, uses, largest }: { readonly kernel: string; readonly uses: number; readonly largest: number },
) {
  const words = largest * largest
  const [poolA, poolB] = [createOperands(words, CYCLE, 1), createOperands(words, CYCLE, 2)]
  const usage = USAGE.storage | USAGE.copySrc | USAGE.copyDst
  const a = await context.buffer('matrix A', 4 * words, usage)
  const b = await context.buffer('matrix B', 4 * words, usage)
  const c = await context.buffer('matrix C', 4 * words, usage)

  const pairAt = (operation: number, n: number) =>
    [poolA.of(operation % CYCLE, n * n), poolB.of(operation % CYCLE, n * n)] as const
  const productOf = (operation: number, n: number, times: number): ExpectedProduct => {
    const aAt = (row: number, k: number) => poolA.valueAt(operation % CYCLE, row * n + k)
    const bAt = (k: number, column: number) => poolB.valueAt(operation % CYCLE, k * n + column)
    return { rows: n, columns: n, k: n, terms: [{ aAt, bAt, times }] }
  }
  /** Throws FaultError 'limit' where the adapter cannot run the kernel. */
  const matmulOf = (n: number) => squareMatmul(context, findMatmul(kernel), n, [a, b, c])

  /** Counts on through the whole run, so that a product left over from another window is found wrong. */
  let next = 0
  /** Its program returns the product of each pair, `times` over. */
  const returning = (place: Place, n: number, count: number, times: number, given: object) => {
    let first = 0
    const pairs = () => Array.from({ length: count }, (_, index) => pairAt(first + index, n))
    const input = { ...given, n, uses, pairs: pairs() }
    return {
      name: sizedVariant(place, n),
      input,
      before: () => {
        first = next
        next += count + 1
        input.pairs = pairs()
        return Promise.resolve()
      },
      check: (output: unknown) => {
        const products = floatsIn(output)
        const positions = positionsOf({ rows: n, columns: n }, SAMPLES, n)
        const checks = input.pairs.map((_, index) => {
          const got = positions.map(([row, column]) => products[index]?.[row * n + column] ?? Number.NaN)
          return checkProduct(productOf(first + index, n, times), positions, got, WHAT)
        })
        return Promise.resolve(mergeVerifications(checks))
      },
    }
  }
  const roundTrip = async (n: number, count: number, { staging, readback }: Ring): Promise<Variant> => {
    const buffers = { a: a.gpu, b: b.gpu, c: c.gpu, staging: staging.buffers, readback }
    const bytes = 4 * n * n
    const variant = returning(ROUND_TRIP, n, count, uses, { ...buffers, matmul: await matmulOf(n), bytes })
    const before = async () => {
      await variant.before()
      await staging.map(2, bytes)
    }
    return { ...variant, before }
  }
  const resident = async (n: number, count: number): Promise<Variant> => {
    const times = count * uses
    const passes = Array.from({ length: Math.ceil(times / DISPATCHES_A_PASS) }, (_, pass) =>
      Math.min(DISPATCHES_A_PASS, times - pass * DISPATCHES_A_PASS),
    )
    return {
      name: sizedVariant(RESIDENT, n),
      input: { matmul: await matmulOf(n), passes },
      before: async () => {
        const [left, right] = pairAt(0, n)
        context.device.gpu.queue.writeBuffer(a.gpu, 0, left)
        context.device.gpu.queue.writeBuffer(b.gpu, 0, right)
        const encoding = context.queue.encode('clear C')
        encoding.clear(c)
        await context.queue.wait(context.queue.submit('clear C', [encoding]))
      },
      check: () =>
        checkProductOnDevice(context, c, productOf(0, n, times), { samples: SAMPLES, seed: n, what: WHAT }),
    }
  }
  return {
    multiply: (n: number) => multiply(...pairAt(0, n), n),
    matmulOf,
    /** A variant with so many operations in a window. */
    variant: async (place: Place, n: number, count: number, ring: Ring): Promise<Variant> =>
      place === CPU
        ? returning(place, n, count, 1, { multiply })
        : place === ROUND_TRIP
          ? await roundTrip(n, count, ring)
          : await resident(n, count),
  }
}
