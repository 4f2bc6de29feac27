/**
 * Batches that are uploaded and multiplied with weights, the upload about as long as the product. What arrived is sampled on the device, bit for
 * bit; the products of all batches add up in C, so that one left out, or computed twice, shows.
 */
import { readWords, USAGE, type Dispatch, type RunContext } from '../../../gpu'
import { prepareWork, sizeBatch } from '../../../experiments/overlapped-uploads/device-side'
import { candidateSizes, targetUploadMs, windowMs } from '../../../experiments/overlapped-uploads/sizes'
import { SERIAL } from '../../../experiments/overlapped-uploads/variants'
import { shared } from '../../../experiments/shared-params'
import { findMatmul, type SuitedDevice } from '../../../gpu/kernels/catalog'
import { fillKernel } from '../../../gpu/kernels/data/fill'
import { GATHER_WORDS, gatherKernel, gatherSeed } from '../../../gpu/kernels/data/gather'
import { kernelCall } from '../../../gpu/kernels/kernel'
import { createMatmul, createPass, type Encodable, type Pass } from '../../../lab/matmul'
import { createOperands, type Operands } from '../../../lab/operands'
import { createStaging } from '../../../lab/staging'
import { watchStaging } from '../../../exercises/worker/staging-used'
import { seedFor } from '../../../exercises/worker/square'
import { checkTimes } from '../../../exercises/worker/times'
import type { Given } from '../../../exercises/names'
import { readAll } from '../../../exercises/worker/shader'
import {
  runsOf,
  type ExerciseServices,
  type PrepareExercise,
  type Workload,
  type WorkloadRun,
} from '../../../exercises/workload'
import { sampledEntries, type Uploads } from './batches'
import type { input } from './checks'

/** Enough that the first batch, which nothing can hide, weighs little. */
const STEPS = 16
const LEAST_STEPS = 6
/** The serial program takes about so long: with completions reported every 100 ms that is fewer steps. */
const START_MS = 1500
/** As many as the lesson's deepest ring has, and as are allowed. */
const STAGING = 3
const kernelOn = (device: SuitedDevice) => findMatmul(shared.kernel.default, device)
const STORAGE = USAGE.storage | USAGE.copySrc | USAGE.copyDst

/** Sizes by measuring, as the lesson does (experiments/overlapped-uploads/prepare.ts): the upload to its time, and then the product to the upload's. */
async function measurePlan(context: RunContext, services: ExerciseServices): Promise<Workload['plan']> {
  const { deviceStepNs, matmulGflops, roundTripMs } = services
  const { batchBytes, uploadMs } = await sizeBatch(context, {
    batchMiB: 0,
    targetMs: targetUploadMs(1, STEPS),
    depth: 2,
    steps: STEPS,
  })
  const batch = await context.buffer('input for sizing', batchBytes, STORAGE)
  const n = Math.max(64, Math.cbrt((uploadMs * (matmulGflops ?? 0) * 1e6) / 2))
  const largest = candidateSizes(batchBytes).findLast((size) => size <= n) ?? 64
  const { plan, computeMs } = await prepareWork(context, {
    kernel: kernelOn(context.device),
    s: largest,
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
  const { session, queue } = context
  const inputs = [
    await context.buffer('input 0', batchBytes, STORAGE),
    await context.buffer('input 1', batchBytes, STORAGE),
  ]
  const weights = await context.buffer('weights', s * s * 4, STORAGE)
  const product = await context.buffer('c', rows * s * 4, STORAGE)
  const staging = await createStaging(context, STAGING, batchBytes)
  const used = watchStaging()

  let encoded: { readonly atNs: number; readonly times: number }[] = []
  const shape = { m: rows, n: s, k: s, alpha: 1, accumulate: true }
  const kernel = kernelOn(context.device)
  const matmuls: Encodable[] = []
  let given: readonly Dispatch[] = []
  for (const input of inputs) {
    const dispatch = await context.dispatch(kernelCall(kernel, shape), [input, weights, product])
    given = [dispatch]
    const { encode } = createMatmul(session, dispatch, {
      label: 'matmul',
      rows,
      columns: s,
      c: product.gpu,
      flops: kernel.flops(shape),
      bytes: kernel.bytes(shape),
    })
    matmuls.push({
      encode: (encoder: GPUCommandEncoder, count = 1) => {
        checkTimes(count)
        encode(encoder, count)
        encoded.push({ atNs: session.now(), times: count })
      },
    })
  }

  const keptWords = steps * GATHER_WORDS
  const kept = await context.buffer('arrived words', keptWords * 4, STORAGE)
  const arrived: Pass[] = []
  for (let step = 0; step < steps; step += 1) {
    const input = inputs[step % inputs.length]
    if (!input) throw new Error('there are two inputs')
    const gather = {
      wordCount: batchBytes / 4,
      seed: gatherSeed(step),
      outOffset: step * GATHER_WORDS,
    }
    arrived.push(
      createPass(await context.dispatch(kernelCall(gatherKernel, gather), [input, kept]), 'arrived?'),
    )
  }

  const runOf = (repeat: number, run: number): WorkloadRun<Uploads> => {
    const [seedBatches, seedWeights] = [seedFor(2 * run, services.seed), seedFor(2 * run + 1, services.seed)]
    let batch: Operands | null = null
    const entries = sampledEntries({ rows, s, times, steps }, seedWeights)
    return {
      name: 'uploads',
      repeat,
      facts: { batchBytes, rows, s, times, steps, seedBatches, seedWeights },
      input: {
        staging: staging.buffers,
        batch: (step: number) => batch?.of(step),
        onDevice: inputs.map((input) => input.gpu),
        bytes: batchBytes,
        arrived,
        matmuls,
        times,
        steps,
      } satisfies Given<typeof input>,
      before: async () => {
        batch = createOperands(batchBytes / 4, steps, seedBatches)
        const fill = await context.dispatch(kernelCall(fillKernel, { count: s * s, seed: seedWeights }), [
          weights,
        ])
        const encoding = queue.encode('weights')
        encoding.pass('fill', [fill])
        for (const each of [...inputs, kept, product]) encoding.clear(each)
        await queue.wait(queue.submit('weights', [encoding]))
        context.release(fill.uniforms)
        await staging.map(STAGING)
        used.begin()
        encoded = []
      },
      find: async () => {
        const stagingUsed = used.count()
        batch = null
        const sampled = entries.map(([row, column]) => row * s + column)
        return {
          stagingUsed,
          encodedNs: encoded.map(({ atNs }) => atNs),
          encodedTimes: encoded.map((each) => each.times),
          arrived: await readAll(context, kept.gpu, keptWords),
          entries: new Float32Array((await readWords(context, product, sampled)).buffer),
        }
      },
    }
  }
  return {
    plan,
    given: [...given, ...arrived.map(({ dispatch }) => dispatch).slice(0, 1)],
    runs: runsOf(runOf),
  }
}
