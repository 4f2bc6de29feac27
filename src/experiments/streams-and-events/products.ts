/**
 * Products A·B on one device, each into a matrix of its own. The host reads a stretch of each, and
 * which one differs from product to product.
 */
import { STORAGE, USAGE, type DeviceSite, type Dispatch, type OwnedBuffer, type RunContext } from '../../gpu'
import { findMatmul, type SuitedDevice } from '../../gpu/kernels/catalog'
import { randomWord } from '../../gpu/kernels/pcg'
import { squareMatmul, type Matmul } from '../../lab/matmul'
import type { RunServices } from '../run-types'
import { shared } from '../shared-params'
import { boundedKernelMs } from '../sizing'
import { sizeRepeated } from '../square-matmul'

const kernelOn = (device: SuitedDevice) => findMatmul(shared.kernel.default, device)
const SEED_ROWS = 59
/** A row of C is read up to so many words: few, so that reading takes next to no time. */
const MOST_WORDS = 32
export const wordsOf = (n: number): number => Math.min(MOST_WORDS, n)

/**
 * `count` products that take about `kernel` round trips each, as far as so many may be queued.
 * `times`: dispatches of one, each of which adds A·B.
 */
export async function sizeProducts(
  context: RunContext,
  services: Omit<RunServices, 'urlOf'>,
  { kernel, count }: { readonly kernel: number; readonly count: number },
) {
  const targetMs = boundedKernelMs(kernel * services.roundTripMs, count)
  return await sizeRepeated(context, { ...services, targetMs })
}

export interface Product {
  readonly matmul: Matmul & { readonly dispatch: Dispatch }
  readonly readback: OwnedBuffer
  /** The stretch that is read, from (row, 0), in bytes. */
  readonly row: number
  readonly offset: number
}

/** The products numbered `steps`. */
export const createProducts = async (
  site: DeviceSite,
  n: number,
  [a, b]: readonly [OwnedBuffer, OwnedBuffer],
  steps: readonly number[],
): Promise<readonly Product[]> =>
  await Promise.all(
    steps.map(async (step) => {
      const c = await site.buffer(`C ${String(step)}`, 4 * n * n, STORAGE)
      const row = randomWord(step, SEED_ROWS) % n
      const readback = await site.buffer(
        `result ${String(step)}`,
        4 * wordsOf(n),
        USAGE.mapRead | USAGE.copyDst,
      )
      return {
        matmul: await squareMatmul(site, kernelOn(site.device), n, [a, b, c], `product ${String(step)}`),
        readback,
        row,
        offset: 4 * row * n,
      }
    }),
  )

/**
 * Results and what was read of them become 0; a buffer that a program left mapped, or asked for, is
 * unmapped. Awaited.
 */
export const clearProducts = ({ queue }: DeviceSite, products: readonly Product[]): Promise<void> =>
  queue.run('clear C', (encoder) => {
    for (const { matmul, readback } of products) {
      readback.gpu.unmap()
      encoder.clearBuffer(matmul.c)
      encoder.clearBuffer(readback.gpu)
    }
  })

/** Programs get this of products, in the order of their steps. */
export const inputOf = (products: readonly Product[], times: number) => ({
  matmuls: products.map(({ matmul }) => matmul),
  times,
  offsets: products.map(({ offset }) => offset),
  readbacks: products.map(({ readback }) => readback.gpu),
  bytes: products[0]?.readback.sizeBytes ?? 0,
})
