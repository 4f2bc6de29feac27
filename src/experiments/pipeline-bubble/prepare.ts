/**
 * Sizes the layers by what this CPU multiplies in a ms, opens a world with a stage on each rank,
 * and has each check its gradients.
 */
import { multiplyPlain } from '../../gpu/kernels/cpu/plain-matmul'
import { openWorld, verificationOf } from '../open-world'
import type { Derived, Prepare, RanksOutput } from '../run-types'
import { fitRun, roundOf } from '../sizing'
import type { pipelineBubble } from './meta'
import { forwardFlops, type StageSpec, type Told } from './prepare-rank'
import { bubbleOf, GPIPE, keptKey, layersOf, scheduledOf, ROWS } from './variants'

const TRIALS = 8
const TRIAL_WIDTH = 128
/**
 * 32 to 512: below, a message is most of a micro-batch; above, four layers with their gradients
 * leave a core's own cache.
 */
const [LEAST_WIDTH, MOST_WIDTH] = [32, 512]
const EVEN_LAYERS = 4
/** A stage goes forward once and back twice. */
const PASSES = 3

export const prepare: Prepare<typeof pipelineBubble> = async (context, values, services, variants) => {
  const { ranks, stages, stageMs } = values
  const { say } = services
  say('sizing the layers')
  const flopsPerMs = rateHere()
  const width = widthFor(stageMs * flopsPerMs)
  const layers = layersOf(stages, ranks)
  say('starting the ranks')
  const cores = navigator.hardwareConcurrency
  const known: Derived = {
    cores,
    sharesMemory: globalThis.crossOriginIsolated ? 1 : 0,
    rateGflops: flopsPerMs / 1e6,
    layerWidth: width,
  }
  const opened = await openWorld(context, { size: ranks, hasDevice: false }, services)
  if (!opened.ok)
    return { derived: { ...known, ranksStarted: 0, noRanks: opened.error }, repeats: 1, variants: [] }
  const { value: world } = opened

  const busyMs = (PASSES * layers.reduce((sum, own) => sum + forwardFlops(own, ROWS, width), 0)) / flopsPerMs
  // With fewer cores than ranks, a core that one leaves is taken by another: nobody waits.
  const windowMs = ({ count }: StageSpec) =>
    Math.max(busyMs / cores, busyMs / (ranks * (1 - bubbleOf(GPIPE, layers, count))))
  const specOf = (variant: string): StageSpec => ({
    layers,
    width,
    count: scheduledOf(variant)?.microBatches ?? 1,
  })
  const { repeats } = fitRun(
    { ...values, steps: 1 },
    roundOf(variants, (variant) => windowMs(specOf(variant))),
  )
  const found: Record<string, string> = {}
  return {
    derived: { ...known, ranksStarted: ranks, rankClockBoundUs: world.clockBoundNs / 1e3 },
    repeats,
    variants: variants.map((name) => ({
      name,
      input: {},
      stamping: 'none',
      ranks: { world, size: ranks, specOf: () => specOf(name) },
      check: (output) => {
        const { outputs } = output as RanksOutput // a variant on ranks has such an output
        const kept = (outputs as readonly (Told | null)[]).map((told) => told?.kept ?? 0)
        found[keptKey(name)] = String(Math.max(Number(found[keptKey(name)] ?? 0), ...kept))
        return Promise.resolve(verificationOf(output))
      },
    })),
    found: () => found,
  }
}

/** The rate of one core: the best of some trials, since the first are not yet compiled. */
function rateHere(): number {
  const [a, b] = [
    new Float32Array(ROWS * TRIAL_WIDTH).fill(0.5),
    new Float32Array(TRIAL_WIDTH ** 2).fill(0.5),
  ]
  let leastMs = Infinity
  for (let trial = 0; trial < TRIALS; trial += 1) {
    const startMs = performance.now()
    multiplyPlain(a, b, TRIAL_WIDTH, { rows: ROWS })
    leastMs = Math.min(leastMs, performance.now() - startMs)
  }
  return forwardFlops(1, ROWS, TRIAL_WIDTH) / Math.max(0.05, leastMs)
}

/**
 * The width at which so many operations are EVEN_LAYERS of the whole batch, forward and backward.
 * It is a multiple of 8.
 */
const widthFor = (flops: number): number => {
  const width = 8 * Math.round(Math.sqrt(flops / (PASSES * forwardFlops(EVEN_LAYERS, ROWS, 1))) / 8)
  return Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, width))
}
