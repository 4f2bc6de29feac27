/**
 * Recipe: size a batch (upload about 6 ms) and a matmul on it (balance × upload); run compute alone, upload alone, one after the
 * other, and through rings of staging buffers; check what arrived, bit by bit on samples, and what was computed.
 *
 * A step on the queue:  [gather before] copy staging → input [gather after] [matmul on the input]
 * The two gathers (256 words, some µs) bracket the copy, because WebGPU times passes only; the one after also keeps samples of
 * what arrived for the check.
 */
import type { Dispatch, StagingSlot, Submission } from '../../engine'
import type { Verification } from '../../trace/report'
import { mergeVerifications } from '../matmul-workload'
import type { Runner } from '../run-types'
import { MAX_DISPATCH_MS, MAX_QUEUED_MS } from '../sizing'
import { createBatchPool } from './batches'
import { sizeBatch, sizeCompute } from './calibrate'
import { INPUTS, prepareDevice } from './device-side'
import { judgeOverlappedUploads, measureOverlappedUploads } from './metrics'
import { COMPUTE_ONLY, ringDepth, ringVariant, SERIAL, UPLOAD_ONLY } from './variants'

export const overlappedUploadsRunner: Runner = {
  run: async (context, services) => {
    const { params, measure, progress } = services
    const steps = Number(params['steps'])
    const rings = (params['rings'] as readonly string[]).map(Number)
    const split = params['submission'] === 'split'
    const { queue, recorder } = context
    const sizing = { variant: '', repeat: -1, region: 'setup' } as const

    progress({ fraction: 0, message: 'sizing the batch', ...sizing })
    const { batchBytes, uploadMs } = await sizeBatch(context, Number(params['batchMiB']))
    progress({ fraction: 0, message: 'sizing the matmul', ...sizing })
    const targetMs = Math.min(MAX_DISPATCH_MS, uploadMs * Number(params['balance']))
    const kernel = String(params['kernel'])
    const plan = await sizeCompute(context, { ...services, kernel, targetMs, batchBytes })

    const words = batchBytes / 4
    const pool = createBatchPool(words, steps)
    const deepest = Math.max(...rings, ringDepth(UPLOAD_ONLY))
    const ring = await context.stagingRing(deepest, batchBytes)
    const device = await prepareDevice(context, { kernel: plan.kernel, plan, batchBytes, steps })

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
        ...plan.choice,
      },
      verification: mergeVerifications(checks),
    }
  },
  metrics: measureOverlappedUploads,
  verdict: judgeOverlappedUploads,
}
