/**
 * Reads chosen 32-bit words of a buffer, for checks after the measured window: 64 copies of 4 bytes
 * instead of 64 MiB.
 */
import { MAP_MODE, USAGE, type OwnedBuffer } from './buffers'
import type { RunContext } from './run-context'

/** Words at these indices, in this order, as raw bits. The source needs COPY_SRC. */
export async function readWords(
  context: RunContext,
  source: OwnedBuffer,
  wordIndices: readonly number[],
): Promise<Uint32Array> {
  const sizeBytes = Math.max(4, wordIndices.length * 4)
  const target = await context.buffer('sampled words', sizeBytes, USAGE.copyDst | USAGE.mapRead)
  const encoder = context.device.gpu.createCommandEncoder({ label: 'sampled words' })
  wordIndices.forEach((word, slot) =>
    encoder.copyBufferToBuffer(source.gpu, word * 4, target.gpu, slot * 4, 4),
  )
  context.device.gpu.queue.submit([encoder.finish()])
  await context.race(target.gpu.mapAsync(MAP_MODE.read))
  const words = new Uint32Array(target.gpu.getMappedRange().slice(0))
  target.gpu.unmap()
  context.release(target)
  return words
}
