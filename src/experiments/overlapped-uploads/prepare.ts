/**
 * Sizes a batch and a matmul on it, and makes what the programs need. Every upload is checked, bit
 * for bit on samples, and so is what was computed: no variant can win by leaving something out.
 */
import { STORAGE } from '../../gpu'
import { createArrivals } from '../../lab/arrivals'
import { createOperands } from '../../lab/operands'
import { createStaging } from '../../lab/staging'
import type { Matmul } from '../../lab/matmul'
import { findMatmul } from '../../gpu/kernels/catalog'
import type { Prepare } from '../run-types'
import { boundedKernelMs, fitRun, roundOf } from '../sizing'
import {
  check,
  prepareWork,
  sizeBatch,
  largestWeights,
  targetUploadMs,
  windowMs,
  type Expected,
} from './device-side'
import type { overlappedUploads } from './meta'
import { COMPUTE_ONLY, isUploading, ringDepth, SERIAL, uploadDepth, UPLOAD_ONLY } from './variants'

const SEED_BATCHES = 7
/** Buffers on the device that batches go to in turn. */
const INPUTS = 2
/** Each ring has every one of its buffers back once, and there are many rings to a round. */
const LEAST_STEPS = 4

export const prepare: Prepare<typeof overlappedUploads> = async (context, values, services, variants) => {
  const depth = uploadDepth(variants)
  const { batchBytes, uploadMs } = await sizeBatch(context, {
    batchMiB: values.batchMiB,
    targetMs: targetUploadMs(values.balance, values.steps),
    depth,
    steps: values.steps,
  })
  // Computing alone queues every step at once.
  const targetMs = boundedKernelMs(uploadMs * values.balance, values.steps)
  const resident = await context.buffer('resident batch', batchBytes, STORAGE)
  const kernel = findMatmul(values.kernel, context.device)
  const work = await prepareWork(context, {
    kernel,
    s: largestWeights(batchBytes, targetMs, services.matmulGflops),
    targetMs,
    batch: resident,
    deviceStepNs: services.deviceStepNs,
  })
  const { s, dispatches } = work.plan
  const times = { uploadMs, computeMs: work.computeMs, roundTripMs: services.roundTripMs }
  const { steps, repeats } = fitRun(
    values,
    roundOf(variants, (variant, count) => windowMs(variant, count, times)),
    LEAST_STEPS,
  )

  const batches = createOperands(batchBytes / 4, steps, SEED_BATCHES)
  context.device.gpu.queue.writeBuffer(resident.gpu, 0, batches.of(0))
  const arrivals = await createArrivals(context, batchBytes / 4, steps, INPUTS)
  const matmuls: Matmul[] = []
  for (const input of arrivals.targets) matmuls.push(await work.matmulOn(input))
  const matmul = await work.matmulOn(resident)
  const staging = await createStaging(context, depth, batchBytes)

  const common = { times: dispatches, steps, bytes: batchBytes, batch: batches.of, arrived: arrivals.uses }
  const onDevice = arrivals.targets.map(({ gpu }) => gpu)
  const termOf = (batch: number, count: number) => ({
    aAt: (row: number, k: number) => batches.valueAt(batch, row * s + k),
    times: count,
  })
  const expectedOf = (name: string): Expected => {
    if (name === COMPUTE_ONLY) return { arrivals: null, terms: [termOf(0, steps * dispatches)] }
    if (name === UPLOAD_ONLY) return { arrivals: batches, terms: [] }
    return {
      arrivals: batches,
      terms: Array.from({ length: steps }, (_, batch) => termOf(batch, dispatches)),
    }
  }
  const depthOf = (name: string): number => {
    if (name === UPLOAD_ONLY) return depth
    return name === SERIAL ? 1 : ringDepth(name)
  }

  return {
    derived: {
      batchBytes,
      uploadEstimateMs: uploadMs,
      targetComputeMs: targetMs,
      matmulRows: work.plan.rows,
      matmulSize: s,
      matmulDispatches: dispatches,
      flopsPerStep: matmul.flops * dispatches,
      steps,
      uploadDepth: depth,
      roundTripMs: services.roundTripMs,
    },
    repeats,
    variants: variants.map((name) => ({
      name,
      input: isUploading(name)
        ? {
            ...common,
            staging: staging.buffers.slice(0, depthOf(name)),
            onDevice,
            matmuls,
          }
        : { ...common, matmul },
      before: async () => {
        await Promise.all([arrivals.clear(), context.queue.clear(work.product)])
        await staging.map(depthOf(name))
      },
      check: () => check(context, work, arrivals.read, expectedOf(name)),
    })),
  }
}
