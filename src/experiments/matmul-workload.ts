/**
 * The matmul that experiments time: C += A·B, n × n, f32, sized so that one takes about a target time on this device.
 * Accumulating makes every step count: after N steps C must be N·A·B, so one check of sampled entries proves that each of the N
 * ran, exactly once. A and B are generated on the device from an integer hash that the host can evaluate too.
 */
import { USAGE, type Dispatch, type OwnedBuffer, type RunContext } from '../engine'
import { fillKernel, fillValue } from '../kernels/data/fill'
import { findMatmul, type MatmulKernel, type MatmulShape } from '../kernels/catalog'
import { kernelCall } from '../kernels/kernel'
import { checkProductOnDevice, type ExpectedProduct } from '../lab/check-product'
import { createMatmul, type Matmul } from '../lab/matmul'
import type { Verification } from '../trace/report'
import { REPEAT_NONE } from '../trace/schema'
import { rampClocks, timeDispatch } from './calibrate'
import { chooseMatmul, isTuned, type ChoiceServices } from './choose-matmul'
import type { Derived, RunServices } from './run-types'
import { kernelParam } from './shared-params'
import {
  boundedKernelMs,
  largestSize,
  MAX_DISPATCH_MS,
  MAX_QUEUED_MS,
  nextSize,
  roundSize,
  tuningSize,
} from './sizing'
import { FaultError } from '../base/fault'

const SEED_A = 1
const SEED_B = 2
const SAMPLES = 64
/** Within 8 % of the target is near enough: the measured time is what is reported. */
const CLOSE_ENOUGH = 0.08
const MAX_ROUNDS = 8
const F32_BYTES = 4

export interface MatmulWorkload {
  readonly n: number
  readonly kernel: MatmulKernel
  /** How the kernel was found, where trials chose it. */
  readonly choice: Derived
  /** What it was sized for. */
  readonly targetMs: number
  /** Measured by calibration; the run measures again. */
  readonly kernelMs: number
  readonly gflops: number
  readonly c: OwnedBuffer
  readonly flops: number
  readonly dispatch: Dispatch
  /** As programs encode it. */
  readonly matmul: Matmul
  /** C = 0, awaited; outside measured windows. */
  reset: () => Promise<void>
  /** Compares sampled entries of C with `steps` times the float64 reference. */
  verify: (steps: number) => Promise<Verification>
  release: () => void
}

interface Built {
  readonly kernel: MatmulKernel
  readonly shape: MatmulShape
  readonly buffers: readonly OwnedBuffer[]
  readonly dispatch: Dispatch
}

const squareOf = (n: number): MatmulShape => ({ m: n, n, k: n, alpha: 1, accumulate: true })

async function build(context: RunContext, kernel: MatmulKernel, n: number): Promise<Built> {
  const shape = squareOf(n)
  const unsupported = kernel.supports(context.device, shape)
  if (unsupported)
    throw new FaultError({
      code: 'limit',
      message: `The kernel '${kernel.id}' does not run on this adapter: ${unsupported}`,
      hint: 'Choose another kernel.',
    })
  const size = n * n * F32_BYTES
  const storage = USAGE.storage | USAGE.copySrc | USAGE.copyDst
  const a = await context.buffer('matmul A', size, storage)
  const b = await context.buffer('matmul B', size, storage)
  const c = await context.buffer('matmul C', size, storage)
  // Fill kernels run once and need no timing: straight on the queue.
  for (const [buffer, seed] of [
    [a, SEED_A],
    [b, SEED_B],
  ] as const) {
    const fill = await context.dispatch(kernelCall(fillKernel, { count: n * n, seed }), [buffer])
    const encoding = context.queue.encode('fill')
    encoding.pass('fill', [fill])
    await context.queue.wait(context.queue.submit('fill', [encoding]))
    await context.queue.collect()
    context.release(fill.uniforms)
  }
  const dispatch = await context.dispatch(kernelCall(kernel, shape), [a, b, c])
  return { kernel, shape, buffers: [a, b, c], dispatch }
}

function release(context: RunContext, { buffers, dispatch }: Built): void {
  for (const buffer of [...buffers, dispatch.uniforms]) context.release(buffer)
}

export interface MatmulOptions extends ChoiceServices {
  /** One of the catalog, or 'tuned'; or a kernel that was chosen before. */
  readonly kernel: string | MatmulKernel
  readonly targetMs: number
  /** Exactly this size, where it is above 0. */
  readonly fixedSize?: number
  /** The rate of the usual kernel on this device, where it is known: sizing then begins near the end. */
  readonly matmulGflops?: number | null
}

/** Sizes are tried from here on where no rate is known. */
const FIRST_SIZE = 64
/** Another kernel than the usual one may be as much slower (naive: 42 times on an H200). */
const SLOWER_AT_MOST = 64

/** A size below the one that the known rate foretells: small matrices do not reach it, so that none is dispatched that takes too long. */
function firstSize(kernel: MatmulKernel, { targetMs, matmulGflops }: MatmulOptions, maxSize: number): number {
  if (!matmulGflops) return FIRST_SIZE
  const gflops = kernel.id === kernelParam.default ? matmulGflops : matmulGflops / SLOWER_AT_MOST
  return Math.max(FIRST_SIZE, Math.min(maxSize, roundSize(0.8 * Math.cbrt((targetMs * gflops * 1e6) / 2))))
}

/** Throws FaultError 'limit' where the adapter cannot run the kernel. */
export async function prepareMatmul(context: RunContext, options: MatmulOptions): Promise<MatmulWorkload> {
  const { kernel, targetMs } = options
  if (typeof kernel !== 'string') return await prepareWith(context, kernel, options)
  if (!isTuned(kernel)) return await prepareWith(context, findMatmul(kernel), options)
  // Trials need a size, and the size depends on the kernel: sized with the usual one, tuned near there, sized again.
  const usual = await prepareWith(context, findMatmul(kernelParam.default), options)
  usual.release()
  const size = options.fixedSize ? usual.n : tuningSize(usual.n)
  const chosen = await chooseMatmul(context, kernel, squareOf(size), options)
  const tuned = await prepareWith(context, chosen.kernel, options, usual.n)
  return { ...tuned, targetMs: options.fixedSize ? tuned.kernelMs : targetMs, choice: chosen.derived }
}

async function prepareWith(
  context: RunContext,
  kernel: MatmulKernel,
  options: MatmulOptions,
  startSize?: number,
): Promise<MatmulWorkload> {
  const { targetMs, deviceStepNs, isSoftware, fixedSize } = options
  if (fixedSize) return await prepareFixed(context, kernel, fixedSize, deviceStepNs)
  const maxSize = largestSize(context.device.limits)
  const tried = new Map<number, number>()
  let n = startSize ?? firstSize(kernel, options, maxSize)
  let ramped = isSoftware
  let built = await build(context, kernel, n)
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { ms } = await timeDispatch(context, built.dispatch, deviceStepNs)
    tried.set(n, ms)
    let next = nextSize(n, ms, targetMs, maxSize)
    const close = Math.abs(ms / targetMs - 1) <= CLOSE_ENOUGH || next === n
    if (close && !ramped) {
      // Sized with cool clocks: warm them, and measure this size again.
      await rampClocks(context, built.dispatch, ms)
      ramped = true
      continue
    }
    if (close) break
    // Between two sizes that were both tried, the nearer one is as good as it gets.
    const known = tried.get(next)
    if (known !== undefined) {
      next = Math.abs(known / targetMs - 1) < Math.abs(ms / targetMs - 1) ? next : n
      if (next === n) break
    }
    release(context, built)
    n = next
    built = await build(context, kernel, n)
    if (known !== undefined) break
  }
  const kernelMs = tried.get(n) ?? targetMs
  return finish(context, built, targetMs, kernelMs)
}

/**
 * A size that was asked for. Smaller ones are timed first, each twice as large as the last (eight times the work), so that a size
 * which would take seconds here is refused before it is ever dispatched.
 */
async function prepareFixed(
  context: RunContext,
  kernel: MatmulKernel,
  n: number,
  deviceStepNs: number | null,
): Promise<MatmulWorkload> {
  for (let smaller = 64; smaller < n; smaller *= 2) {
    const tried = await build(context, kernel, smaller)
    const { ms } = await timeDispatch(context, tried.dispatch, deviceStepNs)
    release(context, tried)
    const next = Math.min(n, smaller * 2)
    const foretoldMs = ms * (next / smaller) ** 3
    if (foretoldMs > MAX_DISPATCH_MS) throw tooSlow(n, foretoldMs * (n / next) ** 3)
  }
  const fixed = await build(context, kernel, n)
  const { ms } = await timeDispatch(context, fixed.dispatch, deviceStepNs)
  return finish(context, fixed, ms, ms)
}

const tooSlow = (n: number, foretoldMs: number): FaultError =>
  new FaultError({
    code: 'limit',
    message: `A matrix of ${String(n)} × ${String(n)} would take about ${foretoldMs.toPrecision(2)} ms here; ${String(MAX_DISPATCH_MS)} ms is the bound of one dispatch.`,
    hint: 'Choose a smaller matrix, or 0 to have it sized.',
    data: { size: n, foretoldMs, boundMs: MAX_DISPATCH_MS },
  })

/**
 * The matmul of an experiment with the parameters kernel, kernelMs and matrixSize, for so many steps queued at once.
 * Throws FaultError 'limit' where a size that was asked for would take, or queue, too much.
 */
export async function prepareSteps(
  context: RunContext,
  services: RunServices,
  params: { readonly kernel: string; readonly kernelMs: number; readonly matrixSize: number },
  steps: number,
): Promise<MatmulWorkload> {
  const { progress } = services
  progress({ fraction: 0, message: 'sizing the matmul', variant: '', repeat: REPEAT_NONE, region: 'setup' })
  const matmul = await prepareMatmul(context, {
    ...services,
    kernel: params.kernel,
    targetMs: boundedKernelMs(params.kernelMs, steps),
    fixedSize: params.matrixSize,
  })
  assertBounded(matmul, steps)
  return matmul
}

/** What a run with these steps worked out, for its report. */
export const describeSteps = (matmul: MatmulWorkload): Derived => ({
  matrixSize: matmul.n,
  targetKernelMs: matmul.targetMs,
  calibratedKernelMs: matmul.kernelMs,
  flopsPerStep: matmul.flops,
  ...matmul.choice,
})

function assertBounded({ n, kernelMs }: MatmulWorkload, steps: number): void {
  const queuedMs = kernelMs * steps
  // Sized workloads stay below the bound by a tenth; calibration may be off by more than that, but not by half.
  if (queuedMs <= 1.5 * MAX_QUEUED_MS) return
  throw new FaultError({
    code: 'limit',
    message: `${String(steps)} steps of ${kernelMs.toPrecision(2)} ms would queue ${queuedMs.toPrecision(2)} ms of work; ${String(MAX_QUEUED_MS)} ms is the bound.`,
    hint: 'Choose fewer steps, or a smaller matrix.',
    data: { steps, size: n, queuedMs, boundMs: MAX_QUEUED_MS },
  })
}

function finish(context: RunContext, built: Built, targetMs: number, kernelMs: number): MatmulWorkload {
  const { kernel, shape, dispatch } = built
  const { n } = shape
  const c = built.buffers[2]
  if (!c) throw new Error('a matmul has three buffers')
  const flops = kernel.flops(shape)
  return {
    n,
    kernel,
    choice: {},
    targetMs,
    kernelMs,
    gflops: flops / (kernelMs * 1e6),
    c,
    flops,
    dispatch,
    matmul: createMatmul(context.session, dispatch, {
      label: `matmul ${String(n)}³`,
      rows: n,
      columns: n,
      c: c.gpu,
      flops,
      bytes: kernel.bytes(shape),
    }),
    reset: async () => {
      const encoding = context.queue.encode('clear C')
      encoding.clear(c)
      await context.queue.wait(context.queue.submit('clear C', [encoding]))
    },
    verify: (times) =>
      checkProductOnDevice(context, c, expectedProduct(n, times), {
        samples: SAMPLES,
        seed: times,
        what: `sampled entries of C = ${String(times)}·A·B against a float64 reference`,
      }),
    release: () => {
      release(context, built)
    },
  }
}

/** C after `times` matmuls on the operands that the fill kernel made. */
export const expectedProduct = (n: number, times: number): ExpectedProduct => ({
  rows: n,
  columns: n,
  k: n,
  terms: [
    {
      aAt: (row, k) => fillValue(row * n + k, SEED_A),
      bAt: (k, column) => fillValue(k * n + column, SEED_B),
      times,
    },
  ],
})
