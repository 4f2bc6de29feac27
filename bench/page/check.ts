/**
 * Operands that the host knows entry by entry, and the check of sampled results against float64.
 * Every library multiplies the same.
 */
import {
  compareSamples,
  samplePositions,
  tolerance,
  type Comparison,
} from '../../src/gpu/kernels/matmul/reference'
import { seededEntries } from '../../src/gpu/kernels/matmul/seeded-entry'
import type { GemmShape } from '../matmul-shapes'

export const SEED_A = 1
export const SEED_B = 2
const SAMPLES = 256

/** Words of a buffer at these indices, by copies on the library's own device. */
async function readWords(
  device: GPUDevice,
  source: GPUBuffer,
  indices: readonly number[],
): Promise<Float32Array> {
  const target = device.createBuffer({
    size: indices.length * 4,
    usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ,
  })
  const encoder = device.createCommandEncoder()
  indices.forEach((index, slot) => encoder.copyBufferToBuffer(source, index * 4, target, slot * 4, 4))
  device.queue.submit([encoder.finish()])
  await target.mapAsync(GPUMapMode.READ)
  const words = new Float32Array(target.getMappedRange().slice(0))
  target.destroy()
  return words
}

/** Sampled entries of C = A·B, its corners and the edges of tiles among them. */
export async function checkProduct(
  device: GPUDevice,
  result: GPUBuffer,
  { m, n, k }: GemmShape,
): Promise<Comparison> {
  const positions = samplePositions(m, n, SAMPLES, m + n + k)
  const got = await readWords(
    device,
    result,
    positions.map(([row, column]) => row * n + column),
  )
  const entries = seededEntries({ n, k, seedA: SEED_A, seedB: SEED_B }, positions)
  return compareSamples(entries, got, tolerance(k, 1))
}
