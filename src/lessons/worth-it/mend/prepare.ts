/**
 * Times of CPU and GPU at sizes that no function has seen, then the function is asked about them. All is measured once, by the first of a
 * grading's three workers, before the learner's text is evaluated; the plan carries it to the others: three functions that were judged by
 * three measurements would differ by chance.
 */
import { randomWord } from '../../../gpu/kernels/pcg'
import { quantile } from '../../../base/stats'
import type { RunContext } from '../../../gpu'
import { MAX_DISPATCH_MS } from '../../../experiments/sizing'
import { sizeByRule } from '../../../experiments/worth-it/crossover'
import { medianOf, openProductTimes, type ProductTimes } from '../../../exercises/worker/product-times'
import { seedFor } from '../../../exercises/worker/square'
import type { ExerciseServices, PrepareExercise } from '../../../exercises/workload'
import type { machine as machineNames } from './checks'

const COUNT = 14
const SMALLEST = 16
/** Below an eighth of the crossing the trip is nearly all of the GPU's time. */
const DOWN_TO = 8

/** Multiples of 4, but not of 8: none of the lesson's own sizes, which are in its chart. */
const fresh = (n: number): number => 8 * Math.max(1, Math.round((n - 4) / 8)) + 4

/** One size in each of `count` equal parts of a logarithmic axis. */
function spread(low: number, high: number, count: number, random: (index: number) => number): number[] {
  return Array.from({ length: count }, (_, index) =>
    fresh(low * (high / low) ** ((index + random(index)) / count)),
  )
}

/**
 * @param crossing the size from which the GPU should win, by the rates that were measured; Infinity: nowhere
 * @param largest for which both take no too long time
 * @returns different sizes, ascending
 */
export function freshSizes(seed: number, crossing: number, largest: number): readonly number[] {
  const random = (index: number) => randomWord(index, seed) / 2 ** 32
  const half = COUNT / 2
  const sizes =
    crossing > SMALLEST && crossing < largest
      ? [
          ...spread(Math.max(SMALLEST, crossing / DOWN_TO), crossing, half, random),
          ...spread(crossing, largest, half, (index) => random(half + index)),
        ]
      : spread(SMALLEST, largest, COUNT, random)
  return [...new Set(sizes)].toSorted((a, b) => a - b)
}

type Machine = Readonly<Record<keyof typeof machineNames, number>>
const FIGURES = ['cpuGflops', 'gpuGflops', 'uploadGBps', 'downloadGBps', 'roundTripMs'] as const

/** Of matrices, n; three of them and three staging buffers are made. */
const LARGEST = { gpu: 2048, software: 1024 }
/** Where the GPU's rate is measured: as large as is quick. */
const RATE_SIZE = { gpu: 1024, software: 256 }
/** A matrix so small that only the trip takes time. */
const TINY = 8
/** A browser looks again for ended work at intervals, so that a trip takes longer once its product misses the first look. */
const TRIPS_AT_THE_TURN = 2
const FIRST_CPU_SIZE = 64
/** The CPU's rate grows with n: it is measured where a product takes about as long as a round trip, where the choice turns. */
const LEAST_CPU_MS = 4
/** One product by either may take so long, or so many round trips where those are slow (Firefox: 100 ms). */
const LONGEST = { ms: 60, roundTrips: 3 }
const CALIBRATIONS = 5
/** Rounds over all sizes, CPU and GPU in turns; fewer where each takes long. */
const ROUNDS = { usual: 5, few: 3, fewFromMs: 40 }

const gflops = (n: number, ms: number): number => (2 * n ** 3) / (ms * 1e6)
const sizeOf = (ms: number, rate: number): number => Math.cbrt((ms * rate * 1e6) / 2)

async function measureMachine(
  times: ProductTimes,
  { isSoftware, deviceStepNs }: ExerciseServices,
): Promise<Machine> {
  const roundTripMs = await medianOf(CALIBRATIONS, () => times.gpuMs(TINY))
  const emptyMs = await medianOf(CALIBRATIONS, times.emptyTripMs)
  const gbps = async (time: () => Promise<number>): Promise<number> => {
    const ms = await medianOf(CALIBRATIONS, time)
    // Where all of it is latency nothing is known of the bytes: they are given all of the time.
    return times.bytes / ((ms > 1.1 * emptyMs ? ms - emptyMs : ms) * 1e6)
  }
  const rateSize = isSoftware ? RATE_SIZE.software : RATE_SIZE.gpu
  const largest = isSoftware ? LARGEST.software : LARGEST.gpu
  let n = FIRST_CPU_SIZE
  const cpuMs = () => medianOf(CALIBRATIONS, () => times.cpuMs(n))
  let ms = await cpuMs()
  while (ms < Math.max(LEAST_CPU_MS, roundTripMs) && 2 * n <= largest) {
    n *= 2
    ms = await cpuMs()
  }
  let measured: Machine = {
    cpuGflops: gflops(n, ms),
    gpuGflops: gflops(rateSize, await times.dispatchMs(rateSize, deviceStepNs)),
    uploadGBps: await gbps(times.uploadMs),
    downloadGBps: await gbps(times.downloadMs),
    roundTripMs,
  }
  // A tiny product's trip may be shorter than that of a larger one: the trip is measured where the choice turns. Each look moves the turn.
  for (let look = 0; look < TRIPS_AT_THE_TURN; look += 1) {
    const turn = 8 * Math.round(turnOf(measured) / 8)
    if (!(turn >= TINY && turn <= largest)) break
    const besidesMs = (await medianOf(CALIBRATIONS, () => times.gpuMs(turn))) - carriedMs(turn, measured)
    if (besidesMs > 0) measured = { ...measured, roundTripMs: besidesMs }
  }
  return rounded(measured)
}

/** n from which the GPU should win, by these figures. */
const turnOf = (machine: Machine): number =>
  sizeByRule(1, {
    processor: machine.cpuGflops,
    device: machine.gpuGflops,
    upload: machine.uploadGBps,
    readback: machine.downloadGBps,
    latencyMs: machine.roundTripMs,
  })

/** Of a product on the GPU: what its bytes and operations take by these rates. */
const carriedMs = (n: number, { uploadGBps, downloadGBps, gpuGflops }: Machine): number =>
  (8 / uploadGBps + 4 / downloadGBps + (2 * n) / gpuGflops) * n ** 2 * 1e-6

/** As a person writes them: no function needs more, and it may log them. */
const rounded = (machine: Machine): Machine =>
  Object.fromEntries(FIGURES.map((name) => [name, Number(machine[name].toPrecision(3))])) as Machine // the same names

async function measure(
  context: RunContext,
  services: ExerciseServices,
): Promise<NonNullable<ExerciseServices['plan']>> {
  const { isSoftware, seed } = services
  const mostN = isSoftware ? LARGEST.software : LARGEST.gpu
  const times = await openProductTimes(context, mostN, services.processor)
  const machine = await measureMachine(times, services)
  const { roundTripMs, cpuGflops: processor, gpuGflops: device } = machine
  const longestMs = Math.max(LONGEST.ms, LONGEST.roundTrips * roundTripMs)
  const largest = Math.min(mostN - 8, sizeOf(longestMs, processor), sizeOf(MAX_DISPATCH_MS, device))
  const sizes = freshSizes(seedFor(0, seed), turnOf(machine), largest)

  for (const n of sizes) await times.verify(n)
  const rounds = roundTripMs > ROUNDS.fewFromMs ? ROUNDS.few : ROUNDS.usual
  const cpu = sizes.map((): number[] => [])
  const gpu = sizes.map((): number[] => [])
  for (let round = 0; round < rounds; round += 1)
    for (const [index, n] of sizes.entries()) {
      cpu[index]?.push(await times.cpuMs(n))
      gpu[index]?.push(await times.gpuMs(n))
    }
  times.close()
  const { library, threads } = times.processor
  const at = (samples: readonly (readonly number[])[], fraction: number) =>
    samples.map((each) => quantile(each, fraction))
  return {
    ...machine,
    sizes,
    cpuMs: at(cpu, 0.5),
    cpuLowMs: at(cpu, 0),
    cpuHighMs: at(cpu, 1),
    gpuMs: at(gpu, 0.5),
    gpuLowMs: at(gpu, 0),
    gpuHighMs: at(gpu, 1),
    hasLibrary: library === 'onnxruntime-web' ? 1 : 0,
    cpuThreads: threads,
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
        find: () => Promise.resolve({}),
      },
    ],
  }
}
