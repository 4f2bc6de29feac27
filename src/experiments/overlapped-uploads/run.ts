/**
 * Recipe: size a batch (upload about 6 ms) and a matmul on it (balance × upload); run compute alone, upload alone, one after the
 * other, and through rings of staging buffers; check what arrived, bit by bit on samples, and what was computed.
 *
 * A step on the queue:  [gather before] copy staging → input [gather after] [matmul on the input]
 * The two gathers (256 words, some µs) bracket the copy, because WebGPU times passes only; the one after also keeps samples of
 * what arrived for the check.
 */
import { FaultError } from '../../base/fault'
import { MIB } from '../../base/units'
import {
  readWords,
  USAGE,
  type Dispatch,
  type OwnedBuffer,
  type RunContext,
  type StagingRing,
  type StagingSlot,
  type Submission,
} from '../../engine'
import { findMatmul, type MatmulShape } from '../../kernels/catalog'
import { fillKernel, fillValue } from '../../kernels/data/fill'
import { GATHER_WORDS, gatherKernel, gatherPosition } from '../../kernels/data/gather'
import { kernelCall } from '../../kernels/kernel'
import { compareSamples, referenceEntry, samplePositions, tolerance } from '../../kernels/matmul/reference'
import type { Verification } from '../../trace/report'
import { REPEAT_WARM_UP } from '../../trace/schema'
import { mergeVerifications, prepareMatmul } from '../matmul-workload'
import type { Runner } from '../run-types'
import { MAX_DISPATCH_MS, MAX_QUEUED_MS } from '../sizing'
import { createBatchPool, type BatchPool } from './batches'
import { judgeOverlappedUploads, measureOverlappedUploads } from './metrics'
import {
  candidateSizes,
  MAX_BATCH_BYTES,
  MIN_BATCH_BYTES,
  nextBatchBytes,
  planCompute,
  type ComputePlan,
} from './sizes'
import { COMPUTE_ONLY, ringDepth, ringVariant, SERIAL, UPLOAD_ONLY } from './variants'

const SEED_B = 2
const SEED_GATHER = 11
/** Multiply-adds that checking one window may cost the host: some 50 ms. Fewer entries are sampled where each costs more. */
const CHECK_BUDGET = 4e6
const MAX_SAMPLES = 48
const MIN_SAMPLES = 12
/** Inputs on the device: one is computed on while the next arrives. */
const INPUTS = 2

export const overlappedUploadsRunner: Runner = {
  run: async (context, { params, isSoftware, deviceStepNs, measure, progress }) => {
    const steps = Number(params['steps'])
    const kernelId = String(params['kernel'])
    const rings = (params['rings'] as readonly string[]).map(Number)
    const split = params['submission'] === 'split'
    const { queue, recorder } = context
    const sizing = { variant: '', repeat: -1, region: 'setup' } as const

    progress({ fraction: 0, message: 'sizing the batch', ...sizing })
    const { batchBytes, uploadMs } = await sizeBatch(context, Number(params['batchMiB']))
    progress({ fraction: 0, message: 'sizing the matmul', ...sizing })
    const targetMs = Math.min(MAX_DISPATCH_MS, uploadMs * Number(params['balance']))
    const plan = await sizeCompute(context, { kernelId, targetMs, batchBytes, deviceStepNs, isSoftware })

    const words = batchBytes / 4
    const pool = createBatchPool(words, steps)
    const deepest = Math.max(...rings, ringDepth(UPLOAD_ONLY))
    const ring = await context.stagingRing(deepest, batchBytes)
    const device = await prepareDevice(context, { kernelId, plan, batchBytes, steps })

    /** Gather, copy, gather. */
    const encodeUpload = (label: string, slot: StagingSlot, index: number) => {
      const encoding = queue.encode(label)
      const input = device.inputs[index % INPUTS]
      const gathers = device.gathers[index]
      if (!input || !gathers) throw new Error('inputs and gathers are made for every step')
      const before = encoding.pass('before the copy', [gathers.before])
      ring.encodeCopy(encoding, slot, input, batchBytes)
      const after = encoding.pass('after the copy', [gathers.after])
      encoding.bracketTransfer({
        name: `copy batch ${String(index)}`,
        bytes: batchBytes,
        before,
        after,
        filledSpan: slot.filledSpan,
      })
      return encoding
    }
    const matmulOf = (index: number): readonly Dispatch[] => {
      const dispatch = device.matmuls[index % INPUTS]
      return dispatch ? Array<Dispatch>(plan.dispatches).fill(dispatch) : []
    }
    const work = { flops: device.flops * plan.dispatches, bytes: device.bytes * plan.dispatches }

    /** Fills, uploads and computes batch `index` in one submission or in two; returns the last one. */
    const uploadAndCompute = async (variant: string, index: number, repeat: number): Promise<Submission> => {
      const tag = { variant, repeat, step: index }
      recorder.tag = tag
      const label = `batch ${String(index)}`
      if (variant === COMPUTE_ONLY) {
        const encoding = queue.encode(label)
        encoding.pass('matmul', matmulOf(0), work)
        return queue.submit(label, [encoding])
      }
      const slot = await ring.acquire()
      recorder.tag = tag // other continuations ran while this one awaited
      ring.fill(slot, batchBytes, (range) => {
        new Float32Array(range).set(pool.batch(index))
      })
      const encoding = encodeUpload(label, slot, index)
      if (variant === UPLOAD_ONLY) {
        const submission = queue.submit(label, [encoding])
        ring.release(slot, submission)
        return submission
      }
      let computing = encoding
      let copied: Submission | null = null
      if (split) {
        copied = queue.submit(`copy ${label}`, [encoding])
        computing = queue.encode(`compute ${label}`)
      }
      computing.pass('matmul', matmulOf(index), work)
      const submission = queue.submit(split ? `compute ${label}` : label, [computing])
      if (variant === SERIAL) {
        await queue.wait(submission)
        ring.park(slot, submission)
      } else {
        ring.release(slot, copied ?? submission)
      }
      return submission
    }

    const queueLimit = Math.max(2, Math.floor(MAX_QUEUED_MS / targetMs))
    const checks: Verification[] = []
    const variants = [COMPUTE_ONLY, UPLOAD_ONLY, SERIAL, ...rings.map(ringVariant)]
    await device.loadResident(pool.batch(0))
    await measure(
      context,
      variants,
      Number(params['repeats']),
      async (variant) => {
        const { repeat } = recorder.tag
        const submitted: Submission[] = []
        for (let index = 0; index < steps; index += 1) {
          // Rings bound the queue by themselves; compute alone would queue everything.
          const tooOld = submitted[index - queueLimit]
          if (tooOld && tooOld.completedNs === null) await queue.wait(tooOld)
          submitted.push(await uploadAndCompute(variant, index, repeat))
        }
        const last = submitted.at(-1)
        if (last) await queue.wait(last)
      },
      {
        before: async (variant) => {
          await device.reset()
          if (variant === COMPUTE_ONLY) await device.loadResident(pool.batch(0))
          if (ringDepth(variant) > 0) await ring.begin(ringDepth(variant))
        },
        after: async (variant) => {
          await ring.end()
          if (variant !== COMPUTE_ONLY) checks.push(await device.verifyBatches(pool))
          if (variant !== UPLOAD_ONLY)
            checks.push(await device.verifyProduct(pool, variant === COMPUTE_ONLY ? 'resident' : 'uploaded'))
        },
      },
    )
    return {
      derived: {
        batchBytes,
        uploadEstimateMs: uploadMs,
        targetComputeMs: targetMs,
        matmulRows: plan.rows,
        matmulSize: plan.s,
        matmulDispatches: plan.dispatches,
        flopsPerStep: work.flops,
      },
      verification: mergeVerifications(checks),
    }
  },
  metrics: measureOverlappedUploads,
  verdict: judgeOverlappedUploads,
}

/** Times whole staged uploads, one after the other, growing the batch until one takes about TARGET_UPLOAD_MS. */
async function sizeBatch(
  context: RunContext,
  batchMiB: number,
): Promise<{ readonly batchBytes: number; readonly uploadMs: number }> {
  const limit = Math.min(
    context.device.limits['maxStorageBufferBindingSize'] ?? Infinity,
    context.device.limits['maxBufferSize'] ?? Infinity,
    MAX_BATCH_BYTES,
  )
  const given = Math.max(4, Math.round((batchMiB * MIB) / 4) * 4)
  if (batchMiB > 0 && given > limit)
    throw new FaultError({
      code: 'limit',
      message: `A batch of ${String(batchMiB)} MiB does not fit: this adapter binds at most ${String(limit)} bytes.`,
      hint: 'Choose a smaller batch.',
    })
  let sizeBytes = batchMiB > 0 ? given : MIN_BATCH_BYTES
  for (;;) {
    const uploadMs = await timeUpload(context, sizeBytes)
    const next = batchMiB > 0 ? null : nextBatchBytes(sizeBytes, uploadMs)
    if (next === null || next > limit) return { batchBytes: sizeBytes, uploadMs }
    sizeBytes = next
  }
}

/** ms an upload takes when uploads follow each other through two staging buffers: as 'upload-only' will run them. */
async function timeUpload(context: RunContext, sizeBytes: number): Promise<number> {
  const { queue, recorder } = context
  recorder.tag = { variant: 'calibration', repeat: REPEAT_WARM_UP, step: -1 }
  const uploads = 5
  const source = new Uint8Array(sizeBytes).fill(1)
  const target = await context.buffer('calibration input', sizeBytes, USAGE.storage | USAGE.copyDst)
  const ring: StagingRing = await context.stagingRing(2, sizeBytes)
  await ring.begin(2)
  const one = async () => {
    const slot = await ring.acquire()
    ring.fill(slot, sizeBytes, (range) => {
      new Uint8Array(range).set(source)
    })
    const encoding = queue.encode('calibration upload')
    ring.encodeCopy(encoding, slot, target, sizeBytes)
    const submission = queue.submit('calibration upload', [encoding])
    ring.release(slot, submission)
    return submission
  }
  // First touch of both staging buffers and of the target.
  await one()
  await queue.wait(await one())
  const start = recorder.now()
  let last: Submission | null = null
  for (let index = 0; index < uploads; index += 1) last = await one()
  if (last) await queue.wait(last)
  const tookMs = (recorder.now() - start) / 1e6 / uploads
  await ring.end()
  await queue.collect()
  context.release(ring)
  context.release(target)
  return tookMs
}

/** The largest matmul block that fits batch and target, measured; then rows and dispatches for the target. */
async function sizeCompute(
  context: RunContext,
  options: {
    readonly kernelId: string
    readonly targetMs: number
    readonly batchBytes: number
    readonly deviceStepNs: number | null
    readonly isSoftware: boolean
  },
): Promise<ComputePlan> {
  const { kernelId, targetMs, batchBytes, deviceStepNs, isSoftware } = options
  const matmul = await prepareMatmul(context, { kernelId, targetMs, deviceStepNs, isSoftware })
  const fitting = candidateSizes(batchBytes).filter((s) => s <= Math.max(64, matmul.n))
  const s = fitting.at(-1) ?? Math.max(1, Math.floor(Math.sqrt(batchBytes / 4)))
  matmul.release()
  const cube = await prepareMatmul(context, {
    kernelId,
    targetMs,
    deviceStepNs,
    isSoftware,
    fixedSize: s,
  })
  cube.release()
  return planCompute(s, cube.kernelMs, targetMs, batchBytes)
}

interface DeviceSide {
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

async function prepareDevice(
  context: RunContext,
  options: {
    readonly kernelId: string
    readonly plan: ComputePlan
    readonly batchBytes: number
    readonly steps: number
  },
): Promise<DeviceSide> {
  const { plan, batchBytes, steps } = options
  const { queue } = context
  const storage = USAGE.storage | USAGE.copySrc | USAGE.copyDst
  const kernel = findMatmul(options.kernelId)
  const shape: MatmulShape = { m: plan.rows, n: plan.s, k: plan.s, alpha: 1, accumulate: true }
  const inputs: OwnedBuffer[] = []
  for (let index = 0; index < INPUTS; index += 1)
    inputs.push(await context.buffer(`input ${String(index)}`, batchBytes, storage))
  const weights = await context.buffer('weights B', plan.s * plan.s * 4, storage)
  const product = await context.buffer('product C', plan.rows * plan.s * 4, storage)
  // The last slot takes what the gathers before the copies read: nobody looks at it.
  const arrived = await context.buffer('arrived words', (steps + 1) * GATHER_WORDS * 4, storage)

  const submitOnce = async (label: string, build: (encoding: ReturnType<typeof queue.encode>) => void) => {
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
