/** The variants that multiply: operands in host memory, three matrices on the device that all sizes share, and checks of every product. */
import { FaultError } from '../../base/fault'
import { USAGE, type Dispatch, type OwnedBuffer, type RunContext } from '../../engine'
import { findMatmul } from '../../kernels/catalog'
import { kernelCall } from '../../kernels/kernel'
import {
  checkProduct,
  checkProductOnDevice,
  mergeVerifications,
  positionsOf,
  type ExpectedProduct,
} from '../../lab/check-product'
import { createMatmul } from '../../lab/matmul'
import { createOperands, type Operands } from '../../lab/operands'
import { createReadback, createStaging } from '../../lab/staging'
import type { Variant } from '../run-types'
import type { Processor } from './processor'
import { floatsIn } from './transfers'

/** Operands before they come round again: no two operations in a row have the same product. */
const CYCLE = 8
const SAMPLES = 32
/** Dispatches in one pass: encoding must not hold the host up for long. */
const DISPATCHES_A_PASS = 256
const WHAT = 'sampled entries of each product, of the CPU and of the device, against a float64 reference'

/** An operation is `uses` matmuls on one pair of matrices. */
export async function openProducts(context: RunContext, largest: number, uses: number) {
  const { gpu } = context.device
  const words = largest * largest
  const [poolA, poolB] = [createOperands(words, CYCLE, 1), createOperands(words, CYCLE, 2)]
  const usage = USAGE.storage | USAGE.copySrc | USAGE.copyDst
  const a = await context.buffer('matrix A', 4 * words, usage)
  const b = await context.buffer('matrix B', 4 * words, usage)
  const c = await context.buffer('matrix C', 4 * words, usage)

  const pairAt = (operation: number, n: number) =>
    [poolA.of(operation % CYCLE, n * n), poolB.of(operation % CYCLE, n * n)] as const
  const matmulOf = (n: number, dispatch: Dispatch) =>
    createMatmul(context.session, dispatch, {
      label: `matmul ${String(n)}³`,
      rows: n,
      columns: n,
      c: c.gpu,
      flops: 2 * n ** 3,
      bytes: 12 * n * n,
    })
  /** Counts on through the whole run, so that a product left over from another window is found wrong. */
  let next = 0
  /** A variant whose program returns the product of each pair, `times` over. */
  const multiplying = (
    name: string,
    n: number,
    count: number,
    times: number,
    given: object,
    beforeWindow = () => Promise.resolve(),
  ): Variant => {
    let first = 0
    const pairs = () => Array.from({ length: count }, (_, index) => pairAt(first + index, n))
    const input = { ...given, n, uses, pairs: pairs() }
    return {
      name,
      input,
      before: () => {
        first = next
        next += count + 1
        input.pairs = pairs()
        return beforeWindow()
      },
      check: (output) => {
        const products = floatsIn(output)
        const positions = positionsOf({ rows: n, columns: n }, SAMPLES, n)
        const checks = input.pairs.map((_, index) => {
          const got = positions.map(([row, column]) => products[index]?.[row * n + column] ?? Number.NaN)
          return checkProduct(productOf(poolA, poolB, first + index, n, times), positions, got, WHAT)
        })
        return Promise.resolve(mergeVerifications(checks))
      },
    }
  }

  return {
    pairAt,
    /** Throws FaultError 'limit' where the adapter cannot run the kernel. */
    dispatch: (kernelId: string, n: number) => dispatchOf(context, kernelId, n, [a, b, c]),
    onCpu: (name: string, n: number, count: number, { multiply }: Processor) =>
      multiplying(name, n, count, 1, { multiply }),
    roundTrip: async (name: string, n: number, count: number, dispatch: Dispatch) => {
      const bytes = 4 * n * n
      // Of exactly the size's bytes: browsers carry the whole of a mapped buffer.
      const staging = await createStaging(context, 2, bytes)
      const readback = await createReadback(context, bytes)
      const buffers = { a: a.gpu, b: b.gpu, c: c.gpu, staging: staging.buffers, readback }
      const given = { ...buffers, matmul: matmulOf(n, dispatch), bytes }
      return multiplying(name, n, count, uses, given, () => staging.map(2))
    },
    resident: (name: string, n: number, count: number, dispatch: Dispatch): Variant => {
      const times = count * uses
      const passes = Array.from({ length: Math.ceil(times / DISPATCHES_A_PASS) }, (_, pass) =>
        Math.min(DISPATCHES_A_PASS, times - pass * DISPATCHES_A_PASS),
      )
      return {
        name,
        input: { matmul: matmulOf(n, dispatch), passes },
        before: async () => {
          const [left, right] = pairAt(0, n)
          gpu.queue.writeBuffer(a.gpu, 0, left)
          gpu.queue.writeBuffer(b.gpu, 0, right)
          const encoding = context.queue.encode('clear C')
          encoding.clear(c)
          await context.queue.wait(context.queue.submit('clear C', [encoding]))
        },
        check: () =>
          checkProductOnDevice(context, c, productOf(poolA, poolB, 0, n, times), {
            samples: SAMPLES,
            seed: n,
            what: WHAT,
          }),
      }
    },
  }
}

function productOf(a: Operands, b: Operands, operation: number, n: number, times: number): ExpectedProduct {
  const at = operation % CYCLE
  const aAt = (row: number, k: number) => a.valueAt(at, row * n + k)
  const bAt = (k: number, column: number) => b.valueAt(at, k * n + column)
  return { rows: n, columns: n, k: n, terms: [{ aAt, bAt, times }] }
}

async function dispatchOf(
  context: RunContext,
  kernelId: string,
  n: number,
  buffers: readonly OwnedBuffer[],
): Promise<Dispatch> {
  const kernel = findMatmul(kernelId)
  const shape = { m: n, n, k: n, alpha: 1, accumulate: true }
  const unsupported = kernel.supports(context.device, shape)
  if (unsupported)
    throw new FaultError({
      code: 'limit',
      message: `The kernel '${kernelId}' does not run on this adapter: ${unsupported}`,
      hint: 'Choose another kernel.',
    })
  return await context.dispatch(kernelCall(kernel, shape), buffers)
}
