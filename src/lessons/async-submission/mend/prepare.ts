/**
 * A benchmark of three matmuls whose shapes nobody can foretell. What the grader compares with is the device's own time of the very passes that
 * the program ran; where it has no clock, a slope that the lab measures by the host's before the run.
 */
import {
  encodeDispatch,
  readWords,
  USAGE,
  type Dispatch,
  type OwnedBuffer,
  type RunContext,
} from '../../../gpu'
import { shared } from '../../../experiments/shared-params'
import { largestSize, roundSize } from '../../../experiments/sizing'
import { findMatmul } from '../../../gpu/kernels/catalog'
import { fillKernel } from '../../../gpu/kernels/data/fill'
import { kernelCall } from '../../../gpu/kernels/kernel'
import { samplePositions } from '../../../gpu/kernels/matmul/reference'
import { keepBusy } from '../../../gpu/kernels/calibrate/keep-busy'
import { timeDispatch } from '../../../gpu/kernels/calibrate/timing'
import { checkTimes } from '../../../exercises/worker/times'
import { seedFor } from '../../../exercises/worker/square'
import type { Given } from '../../../exercises/names'
import type { ExerciseServices, PrepareExercise, WorkloadRun } from '../../../exercises/workload'
import { REPEAT_WARM_UP } from '../../../trace/schema'
import type { input as named } from './checks'
import {
  flopsOf,
  KINDS,
  largestOf,
  nameOf,
  RUNS,
  SAMPLES,
  shapesOf,
  type Benchmark,
  type Kind,
  type Shape,
} from './shapes'

/**
 * So much of what a completion takes: a single product ends well before a program is informed of it, so that one awaited product measures
 * the wait, and 20 of them outlast it nine times.
 */
const PRODUCT_SHARE = 0.45
/** The most is that share of Firefox's 100 ms. All of a run's products, 21 of each of three shapes, then take 2.9 s of the 4 that a call may. */
const PRODUCT_MS = { least: 1.3, most: 45 }
/** A software adapter reports at once, but on a busy machine the thread that waits may get its turn 20 ms late: 20 of these take 200 ms. */
const SOFTWARE_PRODUCT_MS = 10
/** Three lengths: a latency that is taken off all of them is wrong for two. */
const SHARES: Readonly<Record<Kind, number>> = { square: 1, 'few-rows': 0.7, 'few-columns': 1.35 }

const F32_BYTES = 4
const STORAGE = USAGE.storage | USAGE.copySrc | USAGE.copyDst
/** A layer of 4096 × 4096 is 64 MiB. */
const LARGEST = 4096
const FIRST = 128
const MAX_ROUNDS = 8
/** Any length near the target will do: each is measured when it counts. */
const NEAR_ENOUGH = 1.35
const BUSY_MS = 20
/** By the host's clock: at most so much queued, twice. */
const SLOPE_MS = 300

type Operands = readonly [a: OwnedBuffer, b: OwnedBuffer, c: OwnedBuffer]

async function operandsOf(context: RunContext, { m, n, k }: Shape): Promise<Operands> {
  const buffer = (name: string, words: number) => context.buffer(`matmul ${name}`, words * F32_BYTES, STORAGE)
  return [await buffer('A', m * k), await buffer('B', k * n), await buffer('C', m * n)]
}

const dispatchOf = (context: RunContext, { m, n, k }: Shape, operands: Operands): Promise<Dispatch> =>
  context.dispatch(
    kernelCall(findMatmul(shared.kernel.default, context.device), { m, n, k, alpha: 1, accumulate: true }),
    operands,
  )

/** The size at which a product of this kind takes about so long here. */
async function sizeOf(
  context: RunContext,
  { deviceStepNs, isSoftware }: ExerciseServices,
  kind: Kind,
  targetMs: number,
): Promise<number> {
  const most = Math.min(LARGEST, largestSize(context.device.limits))
  let size = Math.min(FIRST, most)
  for (let round = 0; ; round += 1) {
    const shape = largestOf(kind, size)
    const operands = await operandsOf(context, shape)
    const dispatch = await dispatchOf(context, shape, operands)
    if (!isSoftware) {
      const { ms } = await timeDispatch(context, dispatch, deviceStepNs)
      await keepBusy(context, dispatch, ms, round === 0 ? undefined : BUSY_MS)
    }
    const { ms } = await timeDispatch(context, dispatch, deviceStepNs)
    for (const each of [dispatch.uniforms, ...operands]) context.release(each)
    const factor = targetMs / Math.max(ms, 1e-4)
    const isNear = factor < NEAR_ENOUGH && factor > 1 / NEAR_ENOUGH
    // Time grows with the square where few tiles fill the device already, and more slowly where they do not.
    const next = Math.min(most, roundSize(size * Math.min(4, Math.sqrt(factor))))
    if (isNear || next === size || round === MAX_ROUNDS) return size
    size = next
  }
}

interface Encoded {
  readonly shape: number
  readonly times: number
  readonly pass: GPUComputePassEncoder
}

export const prepare: PrepareExercise<Benchmark> = async (context, services) => {
  const { plan, seed, roundTripMs, isSoftware } = services
  const { session, queue, device } = context
  const share = Math.min(PRODUCT_MS.most, Math.max(PRODUCT_MS.least, PRODUCT_SHARE * roundTripMs))
  const productMs = isSoftware ? Math.max(SOFTWARE_PRODUCT_MS, share) : share
  let sizes = plan?.['sizes'] as readonly number[] | undefined // as this function wrote it
  if (!sizes) {
    const found: number[] = []
    for (const kind of KINDS) found.push(await sizeOf(context, services, kind, SHARES[kind] * productMs))
    sizes = found
  }
  const buffers = new Map<Kind, Operands>()
  for (const [index, kind] of KINDS.entries())
    buffers.set(kind, await operandsOf(context, largestOf(kind, sizes[index] ?? 1)))

  let encoded: Encoded[] = []
  const given: Dispatch[] = []

  const runOf = async (run: number, repeat: number): Promise<WorkloadRun<Benchmark>> => {
    const shapes = shapesOf(sizes, run, seed)
    const seedOf = (index: number, operand: 0 | 1) =>
      seedFor(2 * (run * shapes.length + index) + operand, seed)
    const made: { readonly operands: Operands; readonly dispatch: Dispatch }[] = []
    for (const shape of shapes) {
      const operands = buffers.get(shape.kind)
      if (!operands) throw new Error('every kind has its operands')
      const dispatch = await dispatchOf(context, shape, operands)
      made.push({ operands, dispatch })
      given.push(dispatch)
    }
    const input = {
      shapes: shapes.map((shape, index) => ({
        name: nameOf(shape),
        m: shape.m,
        n: shape.n,
        k: shape.k,
        flops: flopsOf(shape),
        encode: (encoder: GPUCommandEncoder, times = 1) => {
          checkTimes(times)
          const dispatch = made[index]?.dispatch
          if (!dispatch) return
          const pass = encoder.beginComputePass({ label: nameOf(shape) })
          encodeDispatch(pass, dispatch, times)
          pass.end()
          session.work(pass, { flops: times * flopsOf(shape) })
          encoded.push({ shape: index, times, pass })
        },
      })),
    } satisfies Given<typeof named>
    const clear = async () => {
      const encoding = queue.encode('clear C')
      for (const { operands } of made) encoding.clear(operands[2])
      await queue.wait(queue.submit('clear C', [encoding]))
    }
    let slopes: readonly HostSlope[] = []
    return {
      name: 'benchmark',
      repeat,
      facts: {
        ms: shapes.map(({ m }) => m),
        ns: shapes.map(({ n }) => n),
        ks: shapes.map(({ k }) => k),
        seedsA: shapes.map((_, index) => seedOf(index, 0)),
        seedsB: shapes.map((_, index) => seedOf(index, 1)),
      },
      input,
      before: async () => {
        for (const [index, { m, n, k }] of shapes.entries()) {
          const [a, b] = made[index]?.operands ?? []
          if (!a || !b) continue
          const fills = [
            await context.dispatch(kernelCall(fillKernel, { count: m * k, seed: seedOf(index, 0) }), [a]),
            await context.dispatch(kernelCall(fillKernel, { count: k * n, seed: seedOf(index, 1) }), [b]),
          ]
          const encoding = queue.encode('operands')
          encoding.pass('fill', fills)
          await queue.wait(queue.submit('operands', [encoding]))
          for (const { uniforms } of fills) context.release(uniforms)
        }
        // A software adapter shares its cores with all else: what it took before the run says nothing about the run.
        if (!device.hasTimestamps && !isSoftware && repeat !== REPEAT_WARM_UP) {
          const found: HostSlope[] = []
          for (const { dispatch } of made) found.push(await hostSlope(context, dispatch, roundTripMs))
          slopes = found
        }
        await clear()
        encoded = []
      },
      find: async () => {
        const words: number[] = []
        for (const [index, { m, n }] of shapes.entries()) {
          const c = made[index]?.operands[2]
          if (!c) continue
          const positions = samplePositions(m, n, SAMPLES, seedOf(index, 0))
          const bits = await readWords(
            context,
            c,
            positions.map(([row, column]) => row * n + column),
          )
          words.push(...new Float32Array(bits.buffer))
        }
        return {
          c: words,
          passShape: encoded.map(({ shape }) => shape),
          passTimes: encoded.map(({ times }) => times),
          passNs: encoded.map(({ pass }) => session.ticksOf(pass) ?? Number.NaN),
          slopeMs: slopes.map(({ ms }) => ms),
          slopeBoundMs: slopes.map(({ boundMs }) => boundMs),
        }
      },
    }
  }

  const runs: WorkloadRun<Benchmark>[] = []
  for (let run = 0; run < RUNS; run += 1) runs.push(await runOf(run, run === 0 ? REPEAT_WARM_UP : run - 1))
  return { plan: { sizes, productMs }, given, runs }
}

interface HostSlope {
  /** Of one product. */
  readonly ms: number
  readonly boundMs: number
}

/**
 * A product's time by the host's clock: what some more of them add. Either length may be reported as late as a round trip, so the slope is
 * uncertain by one over their number.
 */
async function hostSlope(
  { queue, session }: RunContext,
  dispatch: Dispatch,
  roundTripMs: number,
): Promise<HostSlope> {
  const time = async (count: number): Promise<number> => {
    const encoding = queue.encode('slope')
    encoding.pass('slope', Array<Dispatch>(count).fill(dispatch))
    const startNs = session.now()
    await queue.wait(queue.submit('slope', [encoding]))
    return (session.now() - startNs) / 1e6
  }
  const oneMs = await time(1)
  const more = Math.max(4, Math.min(100, Math.floor(SLOPE_MS / oneMs)))
  const few = Math.min(oneMs, await time(1))
  const many = Math.min(await time(1 + more), await time(1 + more))
  return { ms: (many - few) / more, boundMs: roundTripMs / more }
}
