/**
 * How long a product of two n × n matrices takes here on the CPU and on the GPU, each from the
 * host's memory to the host's memory, and what the GPU's time is made of. The host's clock
 * throughout: it is what a program waits for.
 */
import { USAGE, type RunContext } from '../../../gpu'
import { findMatmul } from '../../../gpu/kernels/catalog'
import { timeDispatch } from '../../../gpu/kernels/calibrate/timing'
import { shared } from '../../../experiments/shared-params'
import { squareMatmul } from '../../../lab/matmul'
import { createOperands } from '../../../lab/operands'
import { createReadback, createStaging } from '../../../lab/staging'

/** @param largest n of the largest matrices */
export async function openProductTimes(context: RunContext, largest: number) {
  const { session, device, race } = context
  const { queue } = device.gpu
  const bytes = 4 * largest ** 2
  const usage = USAGE.storage | USAGE.copySrc | USAGE.copyDst
  const a = await context.buffer('matrix A', bytes, usage)
  const b = await context.buffer('matrix B', bytes, usage)
  const c = await context.buffer('matrix C', bytes, usage)
  const staging = await createStaging(context, 2, bytes)
  const readback = await createReadback(context, bytes)
  const pool = createOperands(largest ** 2, 2, 1)
  const matmulOf = (n: number) =>
    squareMatmul(context, findMatmul(shared.kernel.default, device), n, [a, b, c])

  const upload = (encoder: GPUCommandEncoder, index: 0 | 1, n: number): void => {
    const buffer = staging.buffers[index]
    if (!buffer) throw new Error('There are two staging buffers.')
    const matrix = pool.of(index, n * n)
    new Float32Array(buffer.getMappedRange(0, matrix.byteLength)).set(matrix)
    buffer.unmap()
    encoder.copyBufferToBuffer(buffer, 0, index === 0 ? a.gpu : b.gpu, 0, matrix.byteLength)
  }
  /** Milliseconds until what is recorded has ended, and `size` bytes of C are on the host. */
  const timed = async (record: (encoder: GPUCommandEncoder) => void, size = 0): Promise<number> => {
    const startNs = session.now()
    const encoder = device.gpu.createCommandEncoder({ label: 'timed' })
    record(encoder)
    if (size > 0) encoder.copyBufferToBuffer(c.gpu, 0, readback, 0, size)
    queue.submit([encoder.finish()])
    if (size > 0) {
      await race(readback.mapAsync(GPUMapMode.READ, 0, size))
      readback.getMappedRange(0, size).slice(0)
      readback.unmap()
    } else await race(queue.onSubmittedWorkDone())
    return (session.now() - startNs) / 1e6
  }
  return {
    /** Bytes of the largest matrix. */
    bytes,
    /** A and B uploaded, multiplied, C read back and copied out: as the experiment's round-trip.js. */
    gpuMs: async (n: number) => {
      const { encode } = await matmulOf(n)
      await staging.map(2, 4 * n * n)
      return await timed(
        (encoder) => {
          upload(encoder, 0, n)
          upload(encoder, 1, n)
          encoder.clearBuffer(c.gpu, 0, 4 * n * n)
          encode(encoder)
        },
        4 * n * n,
      )
    },
    /** The largest matrix to the GPU and nothing else. */
    uploadMs: async () => {
      await staging.map(1, bytes)
      return await timed((encoder) => upload(encoder, 0, largest))
    },
    /** Time of reading back `size` bytes. */
    downloadMs: (size: number) => timed(() => undefined, size),
    /** One dispatch on matrices that are there already. */
    dispatchMs: async (n: number, deviceStepNs: number | null) =>
      (await timeDispatch(context, (await matmulOf(n)).dispatch, deviceStepNs)).ms,
  }
}
