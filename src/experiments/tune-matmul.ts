/**
 * Which matmul kernel, and with which tile, is fastest on this device for one shape: found by short trials, remembered. Candidates
 * whose result is wrong, or that do not compile, are never chosen; a choice remembered is checked again before it is used.
 */
import { FaultError } from '../base/fault'
import type { RunContext } from '../engine'
import { matmulKernels, type MatmulKernel, type MatmulShape } from '../kernels/catalog'
import { REPEAT_WARM_UP } from '../trace/schema'
import { MAX_DISPATCH_MS } from './sizing'
import { openBench, type DeviceBench } from './tune-bench'
import { listCandidates, type Candidate } from './tune-candidates'
import { memoryKey, readRemembered, writeRemembered } from './tune-memory'
import { runTrials } from './tune-trials'
import type { Trial, TunedMatmul, TuneMatmul, TuneOptions } from './tune-types'

export type { Trial, TunedMatmul, TuneMatmul, TuneOptions, TuningMemory } from './tune-types'

/** One dispatch may take this share of the budget: there is to be time for many. */
const DISPATCH_SHARE = 1 / 40
/** Browsers compile in several threads; a software adapter needs the processor for itself. */
const COMPILED_AT_ONCE = 6

type Choice = Omit<TunedMatmul, 'kernel' | 'label' | 'trialShape'> & { readonly candidate: Candidate }

export const tuneMatmul: TuneMatmul = (context, shape, options) =>
  tuneOver(matmulKernels, context, shape, options)

/** The same over any kernels. Throws FaultError: 'limit' where none runs here, 'verification' where none multiplies rightly. */
export async function tuneOver(
  kernels: readonly MatmulKernel[],
  context: RunContext,
  shape: MatmulShape,
  options: TuneOptions,
): Promise<TunedMatmul> {
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
      const { candidate, origin, trials } = await choose(context, bench, candidates, shape, options)
      const unsupported = refused.map(({ kernel, label, reason }): Trial => ({
        kernelId: kernel.id,
        label,
        ms: null,
        gflops: null,
        outcome: 'unsupported',
        reason,
      }))
      return {
        kernel: candidate.kernel,
        label: candidate.label,
        origin,
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
  shape: MatmulShape,
  options: TuneOptions,
): Promise<Choice> {
  const { memory, budgetMs } = options
  const key = memory ? await memoryKey(context.device.info, navigator.userAgent, candidates, shape) : null
  const remembered = memory && key !== null ? readRemembered(await memory.get(key)) : null
  const known = candidates.find(({ label }) => label === remembered?.label)
  if (remembered && known && (await isRight(context, bench, known)))
    return {
      candidate: known,
      origin: 'remembered',
      trials: [
        withoutTime(
          known,
          `Fastest in earlier trials, with ${remembered.ms.toPrecision(3)} ms; its result was checked again now.`,
        ),
      ],
    }
  const [only] = candidates
  if (only && candidates.length === 1 && (await isRight(context, bench, only)))
    return {
      candidate: only,
      origin: 'only-candidate',
      trials: [withoutTime(only, 'Nothing else runs on this device for this shape.')],
    }

  await settle(context, bench, candidates)
  const { chosen, trials } = await runTrials(candidates, bench, {
    budgetMs,
    atOnce: context.device.isSoftware ? 1 : COMPILED_AT_ONCE,
    ...(options.onProgress ? { onProgress: options.onProgress } : {}),
  })
  if (!chosen)
    throw new FaultError({
      code: 'verification',
      message: `No matmul kernel gave a right result here: ${trials.map(({ label, reason }) => `${label}: ${reason ?? ''}`).join(' ')}`,
      hint: 'A browser or driver update may help; please report it with this text.',
    })
  const ms = trials.find(({ outcome }) => outcome === 'chosen')?.ms ?? null
  if (memory && key !== null && ms !== null)
    await memory.set(key, writeRemembered({ label: chosen.label, ms }))
  return { candidate: chosen, origin: 'measured', trials }
}

const withoutTime = ({ kernel, label }: Candidate, reason: string): Trial => ({
  kernelId: kernel.id,
  label,
  ms: null,
  gflops: null,
  outcome: 'chosen',
  reason,
})

async function isRight(context: RunContext, bench: DeviceBench, candidate: Candidate): Promise<boolean> {
  const [fault] = await bench.prepare([candidate])
  if (fault !== null) return false
  const settled = await context.attempt(() => bench.settle(candidate))
  return settled.ok && (await bench.check(candidate)).ok
}

/** By the first candidate that runs: what it computes is looked at later. */
async function settle(
  context: RunContext,
  bench: DeviceBench,
  candidates: readonly Candidate[],
): Promise<void> {
  for (const candidate of candidates) {
    const [fault] = await bench.prepare([candidate])
    if (fault !== null) continue
    const settled = await context.attempt(async () => {
      await bench.settle(candidate)
      await bench.warmUp(candidate)
    })
    if (settled.ok) return
  }
}
