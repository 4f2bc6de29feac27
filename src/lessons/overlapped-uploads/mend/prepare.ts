/**
 * Batches that are uploaded and multiplied with weights, the upload about as long as the product.
 * What arrived is sampled on the device, bit for bit; the products of all batches add up in C, so
 * that one left out, or computed twice, shows.
 */
import { readAll, STORAGE, type Dispatch, type RunContext } from '../../../gpu'
import {
  prepareWork,
  sizeBatch,
  largestWeights,
  targetUploadMs,
  windowMs,
} from '../../../experiments/overlapped-uploads/device-side'
import { SERIAL } from '../../../experiments/overlapped-uploads/variants'
import { shared } from '../../../experiments/shared-params'
import { findMatmul, type SuitedDevice } from '../../../gpu/kernels/catalog'
import { kernelCall } from '../../../gpu/kernels/kernel'
import { createArrivals } from '../../../lab/arrivals'
import { createMatmul, type Encodable } from '../../../lab/matmul'
import { createOperands } from '../../../lab/operands'
import { createStaging } from '../../../lab/staging'
import { noteEncodes } from '../../../exercises/worker/note-encodes'
import { seedFor, setBuffers } from '../../../exercises/worker/square'
import {
  runsOf,
  type ExerciseServices,
  type PrepareExercise,
  type Workload,
} from '../../../exercises/workload'
import type { Uploads } from './checks'

/** With so many batches the first one, which nothing can hide, weighs little. */
const STEPS = 16
const LEAST_STEPS = 6
/**
 * The serial program takes about so long: with completions reported every 100 ms that is fewer
 * steps.
 */
const START_MS = 1500
/** The lesson's deepest ring has so many, and so many are allowed. */
const STAGING = 3
/** Buffers on the GPU that batches go to in turn. */
const INPUTS = 2
/** Entries of C that are compared, from its first. */
const ENTRIES = 16
const kernelOn = (device: SuitedDevice) => findMatmul(shared.kernel.default, device)

/**
 * Sizes by measuring, as the lesson does (experiments/overlapped-uploads/prepare.ts): the upload to
 * its time, and then the product to the upload's.
 */
async function measurePlan(context: RunContext, services: ExerciseServices): Promise<Workload['plan']> {
  const { deviceStepNs, matmulGflops, roundTripMs } = services
  const { batchBytes, uploadMs } = await sizeBatch(context, {
    batchMiB: 0,
    targetMs: targetUploadMs(1, STEPS),
    depth: 2,
    steps: STEPS,
  })
  const batch = await context.buffer('input for sizing', batchBytes, STORAGE)
  const { plan, computeMs } = await prepareWork(context, {
    kernel: kernelOn(context.device),
    s: largestWeights(batchBytes, uploadMs, matmulGflops),
    targetMs: uploadMs,
    batch,
    deviceStepNs,
  })
  context.release(batch)
  const serialMs = windowMs(SERIAL, 1, { uploadMs, computeMs, roundTripMs })
  return {
    batchBytes,
    rows: plan.rows,
    s: plan.s,
    times: plan.dispatches,
    uploadMs,
    computeMs,
    steps: Math.max(LEAST_STEPS, Math.min(STEPS, Math.floor(START_MS / serialMs))),
  }
}

export const prepare: PrepareExercise<Uploads> = async (context, services) => {
  const plan = services.plan ?? (await measurePlan(context, services))
  const size = (name: string): number => Number(plan[name])
  const [batchBytes, rows, s, times, steps] = [
    size('batchBytes'),
    size('rows'),
    size('s'),
    size('times'),
    size('steps'),
  ]
  const arrivals = await createArrivals(context, batchBytes / 4, steps, INPUTS)
  const weights = await context.buffer('weights', s * s * 4, STORAGE)
  const product = await context.buffer('c', rows * s * 4, STORAGE)
  const staging = await createStaging(context, STAGING, batchBytes)
  const batches = createOperands(batchBytes / 4, steps, services.seed)
  const encodes = noteEncodes(context.session)

  const kernel = kernelOn(context.device)
  const shape = { m: rows, n: s, k: s, alpha: 1, accumulate: true }
  const matmuls: (Encodable & { readonly dispatch: Dispatch })[] = []
  for (const input of arrivals.targets) {
    const dispatch = await context.dispatch(kernelCall(kernel, shape), [input, weights, product])
    const facts = { rows, columns: s, c: product.gpu, flops: kernel.flops(shape), bytes: kernel.bytes(shape) }
    const matmul = createMatmul(context.session, dispatch, { ...facts, label: 'matmul' })
    matmuls.push({ ...encodes.lend(matmul), dispatch })
  }
  return {
    plan,
    given: [...matmuls.slice(0, 1), ...arrivals.uses.slice(0, 1)].map(({ dispatch }) => dispatch),
    runs: runsOf({
      name: 'uploads',
      input: {
        staging: staging.buffers,
        batch: (step: number) => batches.of(step),
        onDevice: arrivals.targets.map(({ gpu }) => gpu),
        bytes: batchBytes,
        arrived: arrivals.uses,
        matmuls: matmuls.map(({ encode }) => ({ encode })),
        times,
        steps,
      },
      before: async () => {
        await setBuffers(context, [[weights, seedFor(0, services.seed)]], [product])
        await arrivals.clear()
        await staging.map(STAGING)
        encodes.clear()
      },
      find: async () => ({
        batchBytes,
        steps,
        times,
        ...encodes.found(),
        arrived: await arrivals.read(),
        entries: new Float32Array((await readAll(context, product.gpu, ENTRIES)).buffer),
      }),
    }),
  }
}
