/**
 * What stands on the device: two inputs, weights, the product, and per step the gathers that bracket its copy. And the two checks:
 * what arrived (sampled words of each batch, bit for bit) and what was computed (sampled entries against a float64 reference).
 */
import {
  readWords,
  USAGE,
  type Dispatch,
  type Encoding,
  type OwnedBuffer,
  type RunContext,
} from '../../engine'
import type { MatmulKernel, MatmulShape } from '../../kernels/catalog'
import { fillKernel, fillValue } from '../../kernels/data/fill'
import { GATHER_WORDS, gatherKernel, gatherPosition } from '../../kernels/data/gather'
import { kernelCall } from '../../kernels/kernel'
import { compareSamples, referenceEntry, samplePositions, tolerance } from '../../kernels/matmul/reference'
import type { Verification } from '../../trace/report'
import type { BatchPool } from './batches'
import type { ComputePlan } from './sizes'

const SEED_B = 2
const SEED_GATHER = 11
/** Multiply-adds that checking one window may cost the host: some 50 ms. Fewer entries are sampled where each costs more. */
const CHECK_BUDGET = 4e6
const MAX_SAMPLES = 48
const MIN_SAMPLES = 12
/** Inputs on the device: one is computed on while the next arrives. */
export const INPUTS = 2

export interface DeviceSide {
  readonly inputs: readonly OwnedBuffer[]
  /** By input. */
  readonly matmuls: readonly Dispatch[]
  /** By step. */
  readonly gathers: readonly { readonly before: Dispatch; readonly after: Dispatch }[]
  readonly flops: number
  readonly bytes: number
  readonly reset: () => Promise<void>
  /** Puts a batch into input 0, for compute alone. */
  readonly loadResident: (batch: Float32Array) => Promise<void>
  readonly verifyBatches: (pool: BatchPool) => Promise<Verification>
  readonly verifyProduct: (pool: BatchPool, what: 'resident' | 'uploaded') => Promise<Verification>
}

export async function prepareDevice(
  context: RunContext,
  options: {
    readonly kernel: MatmulKernel
    readonly plan: ComputePlan
    readonly batchBytes: number
    readonly steps: number
  },
): Promise<DeviceSide> {
  const { kernel, plan, batchBytes, steps } = options
  const { queue } = context
  const storage = USAGE.storage | USAGE.copySrc | USAGE.copyDst
  const shape: MatmulShape = { m: plan.rows, n: plan.s, k: plan.s, alpha: 1, accumulate: true }
  const inputs: OwnedBuffer[] = []
  for (let index = 0; index < INPUTS; index += 1)
    inputs.push(await context.buffer(`input ${String(index)}`, batchBytes, storage))
  const weights = await context.buffer('weights B', plan.s * plan.s * 4, storage)
  const product = await context.buffer('product C', plan.rows * plan.s * 4, storage)
  // The last slot takes what the gathers before the copies read: nobody looks at it.
  const arrived = await context.buffer('arrived words', (steps + 1) * GATHER_WORDS * 4, storage)

  const submitOnce = async (label: string, build: (encoding: Encoding) => void) => {
    const encoding = queue.encode(label)
    build(encoding)
    await queue.wait(queue.submit(label, [encoding]))
  }
  const fill = await context.dispatch(kernelCall(fillKernel, { count: plan.s * plan.s, seed: SEED_B }), [
    weights,
  ])
  await submitOnce('fill weights', (encoding) => encoding.pass('fill weights', [fill]))
  await queue.collect()

  const matmuls: Dispatch[] = []
  for (const input of inputs)
    matmuls.push(await context.dispatch(kernelCall(kernel, shape), [input, weights, product]))
  const gathers: { before: Dispatch; after: Dispatch }[] = []
  const wordCount = batchBytes / 4
  for (let index = 0; index < steps; index += 1) {
    const input = inputs[index % INPUTS]
    if (!input) throw new Error('there are two inputs')
    const gather = (slot: number) =>
      context.dispatch(
        kernelCall(gatherKernel, { wordCount, seed: SEED_GATHER + index, outOffset: slot * GATHER_WORDS }),
        [input, arrived],
      )
    gathers.push({ before: await gather(steps), after: await gather(index) })
  }

  return {
    inputs,
    matmuls,
    gathers,
    flops: kernel.flops(shape),
    bytes: kernel.bytes(shape),
    reset: () =>
      submitOnce('clear', (encoding) => {
        encoding.clear(product)
        encoding.clear(arrived)
        for (const input of inputs) encoding.clear(input)
      }),
    loadResident: async (batch) => {
      const input = inputs[0]
      if (input)
        context.device.gpu.queue.writeBuffer(input.gpu, 0, batch.buffer, batch.byteOffset, batch.byteLength)
      await context.race(context.device.gpu.queue.onSubmittedWorkDone())
    },
    verifyBatches: async (pool) => {
      const slots = Array.from({ length: steps * GATHER_WORDS }, (_, word) => word)
      const got = await readAll(context, arrived, slots.length)
      const bits = new DataView(new ArrayBuffer(4))
      let failed = 0
      for (const word of slots) {
        const batch = Math.floor(word / GATHER_WORDS)
        const position = gatherPosition(word % GATHER_WORDS, SEED_GATHER + batch, wordCount)
        bits.setFloat32(0, pool.valueAt(batch, position))
        if (bits.getUint32(0) !== got[word]) failed += 1
      }
      return {
        checked: slots.length,
        failed,
        maxRelativeError: 0,
        tolerance: 0,
        what: `${String(GATHER_WORDS)} words of each uploaded batch, bit for bit`,
      }
    },
    verifyProduct: async (pool, what) => {
      const affordable = Math.floor(CHECK_BUDGET / (steps * plan.s))
      const samples = Math.min(MAX_SAMPLES, Math.max(MIN_SAMPLES, affordable))
      const positions = samplePositions(plan.rows, plan.s, samples, steps)
      const words = await readWords(
        context,
        product,
        positions.map(([row, column]) => row * plan.s + column),
      )
      const bAt = (k: number, j: number) => fillValue(k * plan.s + j, SEED_B)
      const entries = positions.map(([row, column]) => {
        let value = 0
        let scale = 0
        for (let step = 0; step < steps; step += 1) {
          const batch = what === 'resident' ? 0 : step
          const aAt = (i: number, k: number) => pool.valueAt(batch, i * plan.s + k)
          const entry = referenceEntry(row, column, plan.s, aAt, bAt)
          value += entry.value * plan.dispatches
          scale += entry.scale * plan.dispatches
        }
        return { value, scale }
      })
      return {
        ...compareSamples(
          entries.map(({ value }) => value),
          entries.map(({ scale }) => scale),
          new Float32Array(words.buffer),
          tolerance(plan.s, steps * plan.dispatches),
        ),
        what: 'sampled entries of the sum of all batches · B against a float64 reference',
      }
    },
  }
}

/** The first `count` words, in one copy. */
async function readAll(context: RunContext, buffer: OwnedBuffer, count: number): Promise<Uint32Array> {
  const readback = await context.readbackRing(1, count * 4)
  const encoding = context.queue.encode('read arrived words')
  const target = readback.encodeCopy(encoding, buffer, 0, count * 4)
  const bytes = await readback.read(target, context.queue.submit('read arrived words', [encoding]), count * 4)
  context.release(readback)
  return new Uint32Array(bytes)
}
