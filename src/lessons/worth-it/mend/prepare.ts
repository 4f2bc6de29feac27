/**
 * Times of CPU and GPU at some sizes, then the function is asked about them. All is measured once,
 * by the first of a grading's three workers, before the learner's text is evaluated; the plan
 * carries it to the others: three functions that were judged by three measurements would differ by
 * chance.
 */
import { median } from '../../../base/stats'
import { STORAGE, type RunContext } from '../../../gpu'
import { MAX_DISPATCH_MS } from '../../../experiments/sizing'
import { openCpu } from '../../../exercises/worker/cpu'
import { productTimer } from '../../../exercises/worker/cpu-product'
import type { ExerciseServices, PrepareExercise } from '../../../exercises/workload'
import type { Plan } from '../../../exercises/types'
import { findMatmul } from '../../../gpu/kernels/catalog'
import { timeDispatch } from '../../../gpu/kernels/calibrate/timing'
import { shared } from '../../../experiments/shared-params'
import { squareMatmul } from '../../../lab/matmul'
import { createOperands } from '../../../lab/operands'
import { createReadback, createStaging } from '../../../lab/staging'

/**
 * Times a product of two n × n matrices on the GPU, from the host's memory to the host's memory,
 * and its parts. The host's clock times all, as it is what a program waits for. @param largest n of
 * the largest matrices
 */
async function openProductTimes(context: RunContext, largest: number) {
  const { session, device, race } = context
  const { queue } = device.gpu
  const bytes = 4 * largest ** 2
  const a = await context.buffer('matrix A', bytes, STORAGE)
  const b = await context.buffer('matrix B', bytes, STORAGE)
  const c = await context.buffer('matrix C', bytes, STORAGE)
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
    /**
     * A and B uploaded, multiplied, C read back and copied out: as the experiment's round-trip.js.
     */
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
    /** Sends the largest matrix to the GPU, and nothing else. */
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

const COUNT = 14
/** Different sizes as far as this one, each a multiple of what the kernel's vectors need. */
const sizesUpTo = (largest: number): readonly number[] => [
  ...new Set(
    Array.from({ length: COUNT }, (_, index) => 8 * Math.ceil((((index + 0.5) / COUNT) * largest) / 8)),
  ),
]

const FIGURES = ['cpuGflops', 'gpuGflops', 'uploadGBps', 'downloadGBps', 'roundTripMs'] as const
type Machine = Readonly<Record<(typeof FIGURES)[number], number>>

/** n of the largest matrices; three of them and three staging buffers are made. */
const LARGEST = { gpu: 2048, software: 1024 }
/** n at which the GPU's rate is measured, as large as is quick. */
const RATE_SIZE = { gpu: 1024, software: 256 }
/**
 * The round trip is measured with a product of this size. A smaller one may end before the browser
 * polls for the first time, and its trip is shorter than that of products near the crossing.
 */
const TRIP_SIZE = 256
const FIRST_CPU_SIZE = 64
/**
 * The CPU's rate grows with n: it is measured where a product takes about as long as a round trip,
 * where the choice turns.
 */
const LEAST_CPU_MS = 4
/**
 * One product by either may take so long, or so many round trips where those are slow (Firefox: 100
 * ms).
 */
const LONGEST = { ms: 60, roundTrips: 3 }
const CALIBRATIONS = 5
/** Rounds over all sizes, CPU and GPU in turns; fewer where each takes long. */
const ROUNDS = { usual: 5, few: 3, fewFromMs: 40 }

const gflops = (n: number, ms: number): number => (2 * n ** 3) / (ms * 1e6)
const sizeOf = (ms: number, rate: number): number => Math.cbrt((ms * rate * 1e6) / 2)

/** The median of some; the first, which pays for first touches, does not count. */
async function medianMs(time: () => Promise<number>): Promise<number> {
  await time()
  const times: number[] = []
  while (times.length < CALIBRATIONS) times.push(await time())
  return median(times)
}

type Times = Awaited<ReturnType<typeof openProductTimes>>

async function measureMachine(
  times: Times,
  cpuMs: (n: number) => Promise<number>,
  { isSoftware, deviceStepNs }: ExerciseServices,
): Promise<Machine> {
  const kind = isSoftware ? 'software' : 'gpu'
  const largest = LARGEST[kind]
  const emptyMs = await medianMs(() => times.downloadMs(4))
  const tripMs = await medianMs(() => times.gpuMs(TRIP_SIZE))
  const gbps = async (time: () => Promise<number>): Promise<number> => {
    const ms = await medianMs(time)
    // If all of it is latency, nothing is known of the bytes: they are given all of the time.
    return times.bytes / ((ms > 1.1 * emptyMs ? ms - emptyMs : ms) * 1e6)
  }
  let n = FIRST_CPU_SIZE
  let ms = await medianMs(() => cpuMs(n))
  while (ms < Math.max(LEAST_CPU_MS, tripMs) && 2 * n <= largest) {
    n *= 2
    ms = await medianMs(() => cpuMs(n))
  }
  const rates = {
    cpuGflops: gflops(n, ms),
    gpuGflops: gflops(RATE_SIZE[kind], await times.dispatchMs(RATE_SIZE[kind], deviceStepNs)),
    uploadGBps: await gbps(times.uploadMs),
    downloadGBps: await gbps(() => times.downloadMs(times.bytes)),
  }
  const { uploadGBps, downloadGBps, gpuGflops } = rates
  const carriedMs = (8 / uploadGBps + 4 / downloadGBps + (2 * TRIP_SIZE) / gpuGflops) * TRIP_SIZE ** 2 * 1e-6
  return { ...rates, roundTripMs: Math.max(emptyMs, tripMs - carriedMs) }
}

async function measure(context: RunContext, services: ExerciseServices): Promise<Plan> {
  const { isSoftware, processor } = services
  const mostN = isSoftware ? LARGEST.software : LARGEST.gpu
  const times = await openProductTimes(context, mostN)
  const cpu = processor ? null : openCpu(context.race, mostN ** 2)
  let library = processor?.library
  const modelled = processor && productTimer(processor.multiply, mostN ** 2)
  const cpuMs = async (n: number): Promise<number> => {
    await context.breathe()
    if (modelled) return await modelled(n)
    const timed = await cpu?.time(n)
    library = timed?.library
    return timed?.ms ?? Number.NaN
  }
  const machine = await measureMachine(times, cpuMs, services)
  const { roundTripMs, cpuGflops, gpuGflops } = machine
  const longestMs = Math.max(LONGEST.ms, LONGEST.roundTrips * roundTripMs)
  const largest = Math.min(mostN - 8, sizeOf(longestMs, cpuGflops), sizeOf(MAX_DISPATCH_MS, gpuGflops))
  const sizes = sizesUpTo(largest)

  const rounds = roundTripMs > ROUNDS.fewFromMs ? ROUNDS.few : ROUNDS.usual
  const samples = sizes.map(() => ({ cpu: [] as number[], gpu: [] as number[] }))
  for (let round = 0; round < rounds; round += 1)
    for (const [index, n] of sizes.entries()) {
      samples[index]?.cpu.push(await cpuMs(n))
      samples[index]?.gpu.push(await times.gpuMs(n))
    }
  cpu?.close()
  const triples = (place: 'cpu' | 'gpu') =>
    samples.flatMap(({ [place]: each }) => [Math.min(...each), median(each), Math.max(...each)])
  return {
    ...machine,
    sizes,
    cpuMs: triples('cpu'),
    gpuMs: triples('gpu'),
    hasLibrary: library === 'onnxruntime-web' ? 1 : 0,
  }
}

export const prepare: PrepareExercise = async (context, services) => {
  const { session } = context
  // Some hundred round trips of the lab's own are nothing that a learner's trace should show.
  const { recording } = session
  session.recording = false
  const plan = services.plan ?? (await measure(context, services))
  session.recording = recording

  const sizes = plan['sizes'] as readonly number[] // measure() puts a list there
  const machine = Object.fromEntries(FIGURES.map((name) => [name, plan[name]]))
  return {
    plan,
    runs: [
      {
        name: 'asked',
        repeat: 0,
        input: machine,
        execute: async (program) => {
          const answers: unknown[] = []
          for (const n of sizes) answers.push(await program?.(n, machine))
          return answers
        },
        find: () => ({}),
      },
    ],
  }
}
