/** Reads 32-bit words of a buffer, as raw bits. The source needs COPY_SRC. */
import { USAGE, type OwnedBuffer } from './buffers'
import type { RunContext } from './run-context'

/**
 * Words at these indices, in this order, for checks after the measured window: 64 copies of 4 bytes
 * instead of 64 MiB.
 */
export const readWords = (
  context: RunContext,
  source: OwnedBuffer,
  wordIndices: readonly number[],
): Promise<Uint32Array<ArrayBuffer>> =>
  readCopies(context, 'sampled words', wordIndices.length, (encoder, target) =>
    wordIndices.forEach((word, slot) =>
      encoder.copyBufferToBuffer(source.gpu, word * 4, target, slot * 4, 4),
    ),
  )

/** So many words, from the first on. */
export const readAll = (
  context: RunContext,
  source: GPUBuffer,
  words: number,
): Promise<Uint32Array<ArrayBuffer>> =>
  readCopies(context, 'all words', words, (encoder, target) =>
    encoder.copyBufferToBuffer(source, 0, target, 0, 4 * words),
  )

async function readCopies(
  context: RunContext,
  label: string,
  words: number,
  copy: (encoder: GPUCommandEncoder, target: GPUBuffer) => void,
): Promise<Uint32Array<ArrayBuffer>> {
  const target = await context.buffer(label, Math.max(4, 4 * words), USAGE.copyDst | USAGE.mapRead)
  const bytes = await context.queue.read(label, target.gpu, (encoder) => copy(encoder, target.gpu))
  context.release(target)
  return new Uint32Array(bytes)
}
