/** Sizes for this machine, measured: how large a batch uploads in about TARGET_UPLOAD_MS, how much matmul takes how long. */
import { FaultError } from '../../base/fault'
import { MIB } from '../../base/units'
import { USAGE, type RunContext, type StagingRing, type Submission } from '../../engine'
import { REPEAT_WARM_UP } from '../../trace/schema'
import type { MatmulKernel } from '../../kernels/catalog'
import { prepareMatmul, type MatmulOptions } from '../matmul-workload'
import type { Derived } from '../run-types'
import {
  candidateSizes,
  MAX_BATCH_BYTES,
  MIN_BATCH_BYTES,
  nextBatchBytes,
  planCompute,
  type ComputePlan,
} from './sizes'

/** Times whole staged uploads, one after the other, growing the batch until one takes about TARGET_UPLOAD_MS. */
export async function sizeBatch(
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
export async function sizeCompute(
  context: RunContext,
  options: Omit<MatmulOptions, 'fixedSize'> & { readonly batchBytes: number },
): Promise<ComputePlan & { readonly kernel: MatmulKernel; readonly choice: Derived }> {
  const { targetMs, batchBytes } = options
  const matmul = await prepareMatmul(context, options)
  const { kernel, choice } = matmul
  const fitting = candidateSizes(batchBytes).filter((s) => s <= Math.max(64, matmul.n))
  const s = fitting.at(-1) ?? Math.max(1, Math.floor(Math.sqrt(batchBytes / 4)))
  matmul.release()
  const cube = await prepareMatmul(context, { ...options, kernel, fixedSize: s })
  cube.release()
  return { ...planCompute(s, cube.kernelMs, targetMs, batchBytes), kernel, choice }
}
