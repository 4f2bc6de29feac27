/**
 * The matmul that experiments time, of the kernel that the parameter 'kernel' asks for.
 * Accumulating makes every step count: after N steps C must be N·A·B, so one check of sampled
 * entries proves that each of the N ran, exactly once.
 */
import { FaultError } from '../base/fault'
import type { RunContext } from '../gpu'
import { findMatmul } from '../gpu/kernels/catalog'
import { checkProductOnDevice } from '../lab/check-product'
import type { Verification } from '../trace/report'
import type { Derived, RunServices } from './run-types'
import { boundedKernelMs, MAX_QUEUED_MS } from './sizing'
import { expectedProduct, sizeSquare, type SquareOptions } from './square-matmul'

const SAMPLES = 64

export interface MatmulOptions extends Pick<
  SquareOptions,
  'targetMs' | 'fixedSize' | 'matmulGflops' | 'deviceStepNs'
> {
  /** The name of a kernel of the catalog. */
  readonly kernel: string
}

export async function prepareMatmul(context: RunContext, options: MatmulOptions) {
  const { fixedSize, targetMs } = options
  const kernel = findMatmul(options.kernel, context.device)
  const square = await sizeSquare(context, [kernel], options)
  const { n, c, reset, release } = square
  const [rung] = square.rungs
  if (!rung) throw new Error('one kernel makes one rung')
  const { ms: kernelMs, matmul } = rung
  return {
    n,
    kernel,
    /** The time that it was sized for. */
    targetMs: fixedSize ? kernelMs : targetMs,
    /** Measured by calibration; the run measures again. */
    kernelMs,
    gflops: matmul.flops / (kernelMs * 1e6),
    c,
    flops: matmul.flops,
    /** The product in the form that programs encode. */
    matmul,
    /** Sets C to 0 and awaits it, outside measured windows. */
    reset: () => reset(),
    /** Compares sampled entries of C with `times` times the float64 reference. */
    verify: (times: number): Promise<Verification> =>
      checkProductOnDevice(context, c, expectedProduct(n, times), {
        samples: SAMPLES,
        seed: times,
        what: `sampled entries of C = ${String(times)}·A·B against a float64 reference`,
      }),
    release,
  }
}

type MatmulWorkload = Awaited<ReturnType<typeof prepareMatmul>>

/**
 * The matmul of an experiment with the parameters kernel, kernelMs and matrixSize, for so many
 * steps queued at once. Throws FaultError 'limit' where a size that was asked for would take, or
 * queue, too much.
 */
export async function prepareSteps(
  context: RunContext,
  services: RunServices,
  params: { readonly kernel: string; readonly kernelMs: number; readonly matrixSize: number },
  steps: number,
): Promise<MatmulWorkload> {
  services.say('sizing the matmul')
  const matmul = await prepareMatmul(context, {
    ...services,
    kernel: params.kernel,
    targetMs: boundedKernelMs(params.kernelMs, steps),
    fixedSize: params.matrixSize,
  })
  const { n, kernelMs } = matmul
  const queuedMs = kernelMs * steps
  // Sized workloads stay below the bound by a tenth; calibration may be off by more than that, but
  // not by half.
  if (queuedMs <= 1.5 * MAX_QUEUED_MS) return matmul
  throw new FaultError({
    code: 'limit',
    message: `${String(steps)} steps of ${kernelMs.toPrecision(2)} ms would queue ${queuedMs.toPrecision(2)} ms of work; ${String(MAX_QUEUED_MS)} ms is the bound.`,
    hint: 'Choose fewer steps, or a smaller matrix.',
    data: { steps, size: n, queuedMs, boundMs: MAX_QUEUED_MS },
  })
}

/** Facts that a run with these steps worked out, for its report. */
export const describeSteps = (matmul: MatmulWorkload): Derived => ({
  matrixSize: matmul.n,
  targetKernelMs: matmul.targetMs,
  calibratedKernelMs: matmul.kernelMs,
  flopsPerStep: matmul.flops,
})
