/**
 * Sizes a matmul, and a batch by how long its making takes beside it. Each batch is checked bit for
 * bit on 256 words that the device kept.
 */
import { checkArrivals, createArrivals } from '../../lab/arrivals'
import { createBatchMaker, timeMaking } from '../../lab/batch-maker'
import { mergeVerifications } from '../../lab/check-product'
import { makeInline, openLoader } from '../../lab/loader'
import { describeSteps, prepareSteps } from '../matmul-workload'
import type { Prepare } from '../run-types'
import { fitRun, roundOf } from '../sizing'
import { AT_HAND, hasWorkers, makersOf, type starvedByTheLoader } from './meta'
import { meanMakeMs, PATTERNS, wordsFor } from './sizes'

const SEED = 29
const TRIAL_WORDS = 2 ** 18
const LEAST_STEPS = 6
/** Batches at hand come round again. */
const READY = 2

export const prepare: Prepare<typeof starvedByTheLoader> = async (context, values, services, variants) => {
  const { roundTripMs } = services
  const cores = navigator.hardwareConcurrency
  const matmul = await prepareSteps(context, services, { ...values, matrixSize: 0 }, values.steps)
  const pattern = PATTERNS[values.batches]
  const trialMs = meanMakeMs(pattern, timeMaking(TRIAL_WORDS, SEED))
  const words = wordsFor(values.making * matmul.kernelMs, TRIAL_WORDS, trialMs)
  const makeMs = (trialMs * words) / TRIAL_WORDS
  const times = { computeMs: matmul.kernelMs, makeMs, roundTripMs, cores }
  const { steps, repeats } = fitRun(
    values,
    roundOf(variants, (variant, count) => windowMs(variant, count, times)),
    LEAST_STEPS,
  )

  const arrivals = await createArrivals(context, words, steps)
  const options = { words, count: steps, seed: SEED, augmentations: pattern }
  const known = createBatchMaker(options)
  const ready = Array.from({ length: READY }, (_, index) => {
    const batch = new Float32Array(words)
    known.make(index, batch)
    return batch
  })
  const makers = variants.flatMap((name) => makersOf(name) ?? [])
  const mostWorkers = Math.max(0, ...makers.map(({ workers }) => workers))
  const mostAhead = Math.max(0, ...makers.map(({ ahead }) => ahead))
  const opened = mostWorkers > 0 ? await openLoader(context, options, mostAhead, mostWorkers) : null
  const loader = opened?.ok ? opened.value : null
  // Without workers their variants are left out, and `derived` says why.
  const run = variants.filter((name) => loader !== null || !hasWorkers(name))

  const common = { target: arrivals.target.gpu, uses: arrivals.uses, matmul: matmul.matmul, steps }
  const inputOf = (name: string): object => {
    const { workers = 0, ahead = 0 } = makersOf(name) ?? {}
    if (name === AT_HAND) return { ...common, ready }
    return workers > 0
      ? { ...common, loader: loader?.batches(ahead, workers) }
      : { ...common, make: makeInline(context, known) }
  }
  return {
    derived: {
      ...describeSteps(matmul),
      batchBytes: 4 * words,
      makeEstimateMs: makeMs,
      making: makeMs / matmul.kernelMs,
      hostCores: cores,
      // The loop needs a core too.
      coresPerThread: cores / (mostWorkers + 1),
      loaderFailed: opened?.ok === false ? 1 : 0,
      ...(opened?.ok === false ? { loaderProblem: opened.error } : {}),
      roundTripMs,
      steps,
    },
    repeats,
    variants: run.map((name) => ({
      name,
      input: inputOf(name),
      before: async () => {
        await arrivals.clear()
        await matmul.reset()
      },
      check: async () => {
        const indexOf = (step: number): number => (name === AT_HAND ? step % READY : step)
        const valueAt = (step: number, position: number) => known.valueAt(indexOf(step), position)
        return mergeVerifications([
          checkArrivals(await arrivals.read(), words, valueAt),
          await matmul.verify(steps),
        ])
      },
    })),
  }
}

type Times = Readonly<Record<'computeMs' | 'makeMs' | 'roundTripMs' | 'cores', number>>

/**
 * About how long a window of `steps` takes: two steps are in flight, and as many batches are made
 * at a time as there are cores.
 */
export function windowMs(variant: string, steps: number, times: Times): number {
  const { computeMs, makeMs, roundTripMs, cores } = times
  const makers = makersOf(variant)
  const step = Math.max(computeMs, roundTripMs / 2)
  if (!makers) return steps * step + roundTripMs
  const atATime = Math.max(1, Math.min(makers.workers, cores - 1))
  return makeMs + steps * Math.max(step, makeMs / atATime) + roundTripMs
}
