/** What stands on the device: two inputs in turn, one batch for computing alone, weights, the product; and what came of a window. */
import { USAGE, type Dispatch, type OwnedBuffer, type RunContext } from '../../engine'
import type { MatmulKernel, MatmulShape } from '../../kernels/catalog'
import { fillKernel, fillValue } from '../../kernels/data/fill'
import { GATHER_WORDS, gatherKernel, gatherPosition } from '../../kernels/data/gather'
import { kernelCall } from '../../kernels/kernel'
import { checkProduct, mergeVerifications, positionsOf, type ProductTerm } from '../../lab/check-product'
import { createMatmul, createPass, type Encodable, type Matmul } from '../../lab/matmul'
import type { Operands } from '../../lab/operands'
import { createReadback } from '../../lab/staging'
import type { Verification } from '../../trace/report'
import { timeDispatch } from '../calibrate'
import { planCompute, type ComputePlan } from './sizes'

const SEED_B = 2
export const SEED_GATHER = 11
/** Multiply-adds that checking one window may cost the host: some 50 ms. Fewer entries are sampled where each costs more. */
const CHECK_BUDGET = 4e6
const MAX_SAMPLES = 48
const MIN_SAMPLES = 12

const STORAGE = USAGE.storage | USAGE.copySrc | USAGE.copyDst

export interface Work {
  readonly plan: ComputePlan
  /** Of one step, by what was measured. */
  readonly computeMs: number
  readonly weights: OwnedBuffer
  readonly product: OwnedBuffer
  /** On this batch, wherever it stands. */
  readonly matmulOn: (batch: OwnedBuffer) => Promise<Matmul>
}

/** Plans a matmul on a batch so that it takes `targetMs`: first by the time that its size foretells, then by its own, measured. */
export async function prepareWork(
  context: RunContext,
  options: {
    readonly kernel: MatmulKernel
    readonly s: number
    /** Foretold: of one s³ matmul. */
    readonly cubeMs: number
    readonly targetMs: number
    readonly batch: OwnedBuffer
    readonly deviceStepNs: number | null
  },
): Promise<Work> {
  const { kernel, s, targetMs, batch } = options
  const weights = await context.buffer('weights', s * s * 4, STORAGE)
  const fill = await context.dispatch(kernelCall(fillKernel, { count: s * s, seed: SEED_B }), [weights])
  const encoding = context.queue.encode('fill weights')
  encoding.pass('fill weights', [fill])
  context.queue.submit('fill weights', [encoding])
  const product = await context.buffer(
    'c',
    Math.max(1, Math.floor(batch.sizeBytes / (4 * s))) * s * 4,
    STORAGE,
  )
  const shapeOf = (rows: number): MatmulShape => ({ m: rows, n: s, k: s, alpha: 1, accumulate: true })
  const dispatchOf = (rows: number, input: OwnedBuffer): Promise<Dispatch> =>
    context.dispatch(kernelCall(kernel, shapeOf(rows)), [input, weights, product])

  const foretold = planCompute(s, options.cubeMs, targetMs, batch.sizeBytes)
  const timed = await timeDispatch(context, await dispatchOf(foretold.rows, batch), options.deviceStepNs)
  const plan = planCompute(s, (timed.ms * s) / foretold.rows, targetMs, batch.sizeBytes)
  const shape = shapeOf(plan.rows)
  return {
    plan,
    computeMs: (timed.ms * plan.rows * plan.dispatches) / foretold.rows,
    weights,
    product,
    matmulOn: async (input) =>
      createMatmul(context.session, await dispatchOf(plan.rows, input), {
        label: 'matmul',
        rows: plan.rows,
        columns: s,
        c: product.gpu,
        flops: kernel.flops(shape),
        bytes: kernel.bytes(shape),
      }),
  }
}

export interface Arrivals {
  /** By step: a pass that keeps samples of what stands in the step's input by then. */
  readonly passes: readonly Encodable[]
  readonly words: OwnedBuffer
}

export async function createArrivals(
  context: RunContext,
  inputs: readonly OwnedBuffer[],
  steps: number,
): Promise<Arrivals> {
  const words = await context.buffer('arrived words', steps * GATHER_WORDS * 4, STORAGE)
  const passes: Encodable[] = []
  for (let step = 0; step < steps; step += 1) {
    const input = inputs[step % inputs.length]
    if (!input) throw new Error('there are two inputs')
    const shape = { wordCount: input.sizeBytes / 4, seed: SEED_GATHER + step, outOffset: step * GATHER_WORDS }
    passes.push(
      createPass(await context.dispatch(kernelCall(gatherKernel, shape), [input, words]), 'arrived?'),
    )
  }
  return { passes, words }
}

export interface Expected {
  readonly arrivals: boolean
  /** What was added up in C; none: C is not looked at. */
  readonly terms: readonly Omit<ProductTerm, 'bAt'>[]
}

/** Reads back what a window left on the device, clears it for the next one, all in one submission, and compares. */
export async function createCheck(
  context: RunContext,
  { plan, product }: Work,
  arrivals: Arrivals,
  inputs: readonly OwnedBuffer[],
  batches: Operands,
): Promise<(expected: Expected) => Promise<Verification>> {
  const { rows, s: columns } = plan
  const words = arrivals.words.sizeBytes / 4
  const readback = await createReadback(context, (words + MAX_SAMPLES) * 4)
  return async ({ arrivals: hasArrivals, terms }) => {
    const affordable = Math.floor(CHECK_BUDGET / (Math.max(1, terms.length) * columns))
    const samples = Math.min(MAX_SAMPLES, Math.max(MIN_SAMPLES, affordable))
    const positions = positionsOf({ rows, columns }, samples, arrivals.passes.length)

    const encoder = context.device.gpu.createCommandEncoder({ label: 'check' })
    encoder.copyBufferToBuffer(arrivals.words.gpu, 0, readback, 0, words * 4)
    positions.forEach(([row, column], index) => {
      encoder.copyBufferToBuffer(product.gpu, (row * columns + column) * 4, readback, (words + index) * 4, 4)
    })
    for (const { gpu } of [arrivals.words, product, ...inputs]) encoder.clearBuffer(gpu)
    context.device.gpu.queue.submit([encoder.finish()])
    await context.race(readback.mapAsync(GPUMapMode.READ))
    const got = readback.getMappedRange().slice(0)
    readback.unmap()

    const bAt = (k: number, column: number) => fillValue(k * columns + column, SEED_B)
    return mergeVerifications([
      ...(hasArrivals ? [compareArrivals(new Uint32Array(got, 0, words), batches)] : []),
      ...(terms.length === 0
        ? []
        : [
            checkProduct(
              { rows, columns, k: columns, terms: terms.map((term) => ({ ...term, bAt })) },
              positions,
              new Float32Array(got, words * 4, positions.length),
              'sampled entries of the sum of all batches · B against a float64 reference',
            ),
          ]),
    ])
  }
}

/** Bit for bit: step i must have gathered the words of batch i. */
export function compareArrivals(got: Uint32Array, batches: Operands): Verification {
  const bits = new DataView(new ArrayBuffer(4))
  let failed = 0
  got.forEach((word, index) => {
    const batch = Math.floor(index / GATHER_WORDS)
    const position = gatherPosition(index % GATHER_WORDS, SEED_GATHER + batch, batches.words)
    bits.setFloat32(0, batches.valueAt(batch, position))
    if (bits.getUint32(0) !== word) failed += 1
  })
  return {
    checked: got.length,
    failed,
    maxRelativeError: 0,
    tolerance: 0,
    what: `${String(GATHER_WORDS)} words of each uploaded batch, bit for bit`,
  }
}
