/**
 * Finds the fastest matmul kernel and tile for a shape on this device by short trials, for
 * `bench -- matmul`. Candidates with a wrong result, or that do not compile, are never chosen.
 */
import { FaultError } from '../../../src/base/fault'
import type { RunContext } from '../../../src/gpu'
import { REPEAT_WARM_UP } from '../../../src/trace/schema'
import { matmulKernels, type MatmulKernel, type MatmulShape } from '../../../src/gpu/kernels/catalog'
import { openBench, type DeviceBench } from './bench'
import { listCandidates, type Candidate } from './candidates'
import { MAX_DISPATCH_MS } from '../../../src/gpu/kernels/calibrate/timing'
import { type Trial } from './trial'
import { runTrials } from './trials'

export interface TunedMatmul {
  /** Ready for `kernelCall(kernel, shape)`: with one tile, whatever the shape. */
  readonly kernel: MatmulKernel
  readonly label: string
  /** Shape of the trials, with a smaller k where the whole one would have taken too long. */
  readonly trialShape: MatmulShape
  readonly trials: readonly Trial[]
}

export interface TuneOptions {
  /** Time for all trials together, ms of wall clock. */
  readonly budgetMs: number
  /** Null without timestamp-query. */
  readonly deviceStepNs: number | null
  /** All that the lab has, where left out. */
  readonly kernels?: readonly MatmulKernel[]
}

/** One dispatch may take this share of the budget: there is to be time for many. */
const DISPATCH_SHARE = 1 / 40
/** Browsers compile in several threads; a software adapter needs the processor for itself. */
const COMPILED_AT_ONCE = 6

/**
 * Throws FaultError: 'limit' where none runs here, 'verification' where none multiplies rightly.
 */
export async function tuneMatmul(
  context: RunContext,
  shape: MatmulShape,
  options: TuneOptions,
): Promise<TunedMatmul> {
  const { kernels = matmulKernels } = options
  const { candidates, refused } = listCandidates(kernels, context.device, shape)
  if (candidates.length === 0)
    throw new FaultError({
      code: 'limit',
      message: `No matmul kernel runs on this adapter: ${refused.map(({ label, reason }) => `${label}: ${reason}`).join(' ')}`,
    })
  const { session } = context
  const { tag } = session
  return await context.recorded(async () => {
    session.tag = { variant: 'tuning', repeat: REPEAT_WARM_UP, step: -1 }
    const maxDispatchMs = Math.min(MAX_DISPATCH_MS, options.budgetMs * DISPATCH_SHARE)
    const bench = await openBench(context, shape, options.deviceStepNs, maxDispatchMs)
    try {
      const { candidate, trials } = await choose(context, bench, candidates, options)
      const unsupported = refused.map(({ kernel, label, reason }) =>
        untimed({ kernel, label }, 'unsupported', reason),
      )
      return {
        kernel: candidate.kernel,
        label: candidate.label,
        trials: [...trials, ...unsupported],
        trialShape: bench.trialShape(),
      }
    } finally {
      bench.release()
      session.tag = tag
    }
  })
}

async function choose(
  context: RunContext,
  bench: DeviceBench,
  candidates: readonly Candidate[],
  { budgetMs }: TuneOptions,
): Promise<Pick<TunedMatmul, 'trials'> & { readonly candidate: Candidate }> {
  // A GPU's by the simplest that runs, since a driver takes seconds for the others and compiles
  // them anew for each part of k. What it computes is looked at later.
  const { isSoftware } = context.device
  const settling = isSoftware ? candidates : candidates.toSorted((one, other) => one.rank - other.rank)
  for (const candidate of settling) if (await settle(context, bench, candidate)) break
  const { chosen, trials } = await runTrials(candidates, bench, {
    budgetMs,
    atOnce: isSoftware ? 1 : COMPILED_AT_ONCE,
  })
  if (!chosen)
    throw new FaultError({
      code: 'verification',
      message: `No matmul kernel gave a right result here: ${trials.map(({ label, reason }) => `${label}: ${reason ?? ''}`).join(' ')}`,
      hint: 'A browser or driver update may help; please report it with this text.',
    })
  return { candidate: chosen, trials }
}

const untimed = (
  { kernel, label }: Pick<Candidate, 'kernel' | 'label'>,
  outcome: Trial['outcome'],
  reason: string,
): Trial => ({ kernelId: kernel.id, label, ms: null, gflops: null, outcome, reason })

/** Chooses the trial shape by this candidate; false where it does not compile or does not run. */
async function settle(context: RunContext, bench: DeviceBench, candidate: Candidate): Promise<boolean> {
  const [fault] = await bench.compile([candidate])
  if (fault !== null) return false
  return (await context.attempt(() => bench.settle(candidate))).ok
}
