/**
 * How long a product of two n × n matrices takes here on the CPU and on the GPU, each from the
 * host's memory to the host's memory, and what the GPU's time is made of. The host's clock
 * throughout: it is what a program waits for.
 */
import { FaultError } from '../../base/fault'
import { median } from '../../base/stats'
import { USAGE, type RunContext } from '../../gpu'
import { findMatmul } from '../../gpu/kernels/catalog'
import { timeDispatch } from '../../gpu/kernels/calibrate/timing'
import { shared } from '../../experiments/shared-params'
import { checkProduct, positionsOf } from '../../lab/check-product'
import { squareMatmul, type Matmul } from '../../lab/matmul'
import { createOperands } from '../../lab/operands'
import { createReadback, createStaging } from '../../lab/staging'
import type { Processor } from '../../gpu/kernels/cpu/processor'
import { cpuOf, openCpu, type Cpu } from './cpu'

const SAMPLES = 16

export interface ProductTimes {
  readonly processor: Pick<Cpu, 'library' | 'threads'>
  /** Milliseconds of one product on the CPU, the mean of some calls where one is short. */
  readonly cpuMs: (n: number) => Promise<number>
  /** The same on the GPU: A and B uploaded, multiplied, C read back and copied out. */
  readonly gpuMs: (n: number) => Promise<number>
  /** Both ways once. @throws FaultError 'verification' where sampled entries are wrong. */
  readonly verify: (n: number) => Promise<void>
  /** Four bytes copied on the GPU and read back, ms. */
  readonly emptyTripMs: () => Promise<number>
  /** The largest matrix to the GPU and nothing else, ms; and back. */
  readonly uploadMs: () => Promise<number>
  readonly downloadMs: () => Promise<number>
  /** Time of one dispatch on matrices that are there already, ms. */
  readonly dispatchMs: (n: number, deviceStepNs: number | null) => Promise<number>
  /** Bytes of the largest matrix. */
  readonly bytes: number
  /** Ends the CPU's worker and its threads. */
  readonly close: () => void
}

/**
 * To be called before the global is emptied; closed before a learner's program runs.
 *
 * @param largest n of the largest matrices
 */
export async function openProductTimes(
  context: RunContext,
  largest: number,
  processor?: Processor,
): Promise<ProductTimes> {
  const { session, device, race } = context
  const { queue } = device.gpu
  const cpu = processor ? cpuOf(processor, largest ** 2) : await openCpu(race, largest ** 2)
  const bytes = 4 * largest ** 2
  const usage = USAGE.storage | USAGE.copySrc | USAGE.copyDst
  const a = await context.buffer('matrix A', bytes, usage)
  const b = await context.buffer('matrix B', bytes, usage)
  const c = await context.buffer('matrix C', bytes, usage)
  const staging = await createStaging(context, 2, bytes)
  const readback = await createReadback(context, bytes)
  const pool = createOperands(largest ** 2, 2, 1)
  const operands = (n: number) => [pool.of(0, n * n), pool.of(1, n * n)] as const

  const matmuls = new Map<number, Awaited<ReturnType<typeof squareMatmul>>>()
  const matmulOf = async (n: number) => {
    const found =
      matmuls.get(n) ??
      (await squareMatmul(context, findMatmul(shared.kernel.default, context.device), n, [a, b, c]))
    matmuls.set(n, found)
    return found
  }
  const sinceMs = (startNs: number): number => (session.now() - startNs) / 1e6
  const read = async (size: number): Promise<Float32Array> => {
    await race(readback.mapAsync(GPUMapMode.READ, 0, size))
    const words = new Float32Array(readback.getMappedRange(0, size).slice(0))
    readback.unmap()
    return words
  }
  const fill = (index: 0 | 1, matrix: Float32Array): GPUBuffer => {
    const buffer = staging.buffers[index]
    if (!buffer) throw new Error('There are two staging buffers.')
    new Float32Array(buffer.getMappedRange(0, matrix.byteLength)).set(matrix)
    buffer.unmap()
    return buffer
  }
  /** There and back as the experiment's program round-trip.js does it. */
  const thereAndBack = async (n: number, matmul: Pick<Matmul, 'encode'>): Promise<Float32Array> => {
    const size = 4 * n * n
    const [left, right] = operands(n)
    const [fromA, fromB] = [fill(0, left), fill(1, right)]
    const encoder = device.gpu.createCommandEncoder({ label: `round trip ${String(n)}` })
    encoder.copyBufferToBuffer(fromA, 0, a.gpu, 0, size)
    encoder.copyBufferToBuffer(fromB, 0, b.gpu, 0, size)
    encoder.clearBuffer(c.gpu, 0, size)
    matmul.encode(encoder)
    encoder.copyBufferToBuffer(c.gpu, 0, readback, 0, size)
    queue.submit([encoder.finish()])
    return await read(size)
  }
  const onGpu = async (n: number) => {
    const matmul = await matmulOf(n)
    await staging.map(2, 4 * n * n)
    const startNs = session.now()
    const product = await thereAndBack(n, matmul)
    return { ms: sinceMs(startNs), product }
  }

  const expect = (n: number, product: Float32Array, where: string): void => {
    const [left, right] = operands(n)
    const positions = positionsOf({ rows: n, columns: n }, SAMPLES, n)
    const aAt = (row: number, k: number) => left[row * n + k] ?? Number.NaN
    const bAt = (k: number, column: number) => right[k * n + column] ?? Number.NaN
    const { failed } = checkProduct(
      { rows: n, columns: n, k: n, terms: [{ aAt, bAt, times: 1 }] },
      positions,
      positions.map(([row, column]) => product[row * n + column] ?? Number.NaN),
      where,
    )
    if (failed > 0)
      throw new FaultError({
        code: 'verification',
        message: `The lab’s own product of ${String(n)} × ${String(n)} on the ${where} is wrong, so nothing can be graded here.`,
      })
  }

  return {
    processor: cpu,
    bytes,
    close: cpu.close,
    cpuMs: async (n) => {
      await context.breathe()
      return await cpu.time(n)
    },
    gpuMs: async (n) => (await onGpu(n)).ms,
    verify: async (n) => {
      expect(n, await cpu.multiply(n), 'CPU')
      expect(n, (await onGpu(n)).product, 'GPU')
    },
    emptyTripMs: async () => {
      const startNs = session.now()
      const encoder = device.gpu.createCommandEncoder({ label: 'four bytes' })
      encoder.copyBufferToBuffer(c.gpu, 0, readback, 0, 4)
      queue.submit([encoder.finish()])
      await read(4)
      return sinceMs(startNs)
    },
    uploadMs: async () => {
      const [matrix] = operands(largest)
      await staging.map(1, bytes)
      const startNs = session.now()
      const encoder = device.gpu.createCommandEncoder({ label: 'upload' })
      encoder.copyBufferToBuffer(fill(0, matrix), 0, a.gpu, 0, bytes)
      queue.submit([encoder.finish()])
      await race(queue.onSubmittedWorkDone())
      return sinceMs(startNs)
    },
    downloadMs: async () => {
      const startNs = session.now()
      const encoder = device.gpu.createCommandEncoder({ label: 'download' })
      encoder.copyBufferToBuffer(c.gpu, 0, readback, 0, bytes)
      queue.submit([encoder.finish()])
      await read(bytes)
      return sinceMs(startNs)
    },
    dispatchMs: async (n, deviceStepNs) =>
      (await timeDispatch(context, (await matmulOf(n)).dispatch, deviceStepNs)).ms,
  }
}

/** The median of some; the first, which pays for first touches, does not count. */
export async function medianOf(count: number, time: () => Promise<number>): Promise<number> {
  await time()
  const times: number[] = []
  while (times.length < count) times.push(await time())
  return median(times)
}
