/** How large a batch uploads in about the wanted time on this machine, measured. */
import { MIB } from '../../base/units'
import { USAGE, type RunContext, type Submission } from '../../engine'
import { REPEAT_WARM_UP } from '../../trace/schema'
import { MAX_BATCH_BYTES, MIN_BATCH_BYTES, nextBatchBytes } from './sizes'

const TIMED_UPLOADS = 5

export interface BatchSize {
  readonly batchBytes: number
  readonly uploadMs: number
}

/**
 * Times whole staged uploads through `depth` buffers, growing the batch until one takes about `targetMs`. A size that was
 * asked for (`batchMiB` > 0) and does not fit is a FaultError 'limit'.
 */
export async function sizeBatch(
  context: RunContext,
  { batchMiB, targetMs, depth }: { batchMiB: number; targetMs: number; depth: number },
): Promise<BatchSize> {
  const limit = Math.min(
    context.device.limits['maxStorageBufferBindingSize'] ?? Infinity,
    context.device.limits['maxBufferSize'] ?? Infinity,
    MAX_BATCH_BYTES,
  )
  let batchBytes = batchMiB > 0 ? Math.max(4, Math.round((batchMiB * MIB) / 4) * 4) : MIN_BATCH_BYTES
  for (;;) {
    const uploadMs = await timeUpload(context, batchBytes, depth)
    const next = batchMiB > 0 ? null : nextBatchBytes(batchBytes, uploadMs, targetMs)
    if (next === null || next > limit) return { batchBytes, uploadMs }
    batchBytes = next
  }
}

/** ms an upload takes when uploads follow each other through a ring: as 'upload-only' will run them. */
async function timeUpload(context: RunContext, sizeBytes: number, depth: number): Promise<number> {
  const { queue, session } = context
  session.tag = { variant: 'calibration', repeat: REPEAT_WARM_UP, step: -1 }
  const source = new Uint8Array(sizeBytes).fill(1)
  const target = await context.buffer('calibration input', sizeBytes, USAGE.storage | USAGE.copyDst)
  const ring = await context.stagingRing(depth, sizeBytes)
  await ring.begin(depth)
  const upload = async (count: number): Promise<void> => {
    let last: Submission | null = null
    for (let index = 0; index < count; index += 1) {
      const slot = await ring.acquire()
      ring.fill(slot, sizeBytes, (range) => {
        new Uint8Array(range).set(source)
      })
      const encoding = queue.encode('calibration upload')
      ring.encodeCopy(encoding, slot, target, sizeBytes)
      last = queue.submit('calibration upload', [encoding])
      ring.release(slot)
    }
    if (last) await queue.wait(last)
  }
  await upload(depth) // first touch of the staging buffers and of the target
  const start = session.now()
  await upload(TIMED_UPLOADS)
  const tookMs = (session.now() - start) / 1e6 / TIMED_UPLOADS
  await ring.end()
  await queue.collect()
  context.release(ring)
  context.release(target)
  return tookMs
}
