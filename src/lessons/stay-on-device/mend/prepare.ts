/**
 * Eight layers on a few rows, small enough for their result to be returned and short beside a trip
 * to the host.
 */
import { STORAGE, type Dispatch, type OwnedBuffer } from '../../../gpu'
import { shared } from '../../../experiments/shared-params'
import { findMatmul } from '../../../gpu/kernels/catalog'
import { createLayer, createMean } from '../../../lab/layers'
import { createReadback } from '../../../lab/staging'
import { noteEncodes } from '../../../exercises/worker/note-encodes'
import { seedFor, setBuffers } from '../../../exercises/worker/square'
import { runsOf, type PrepareExercise } from '../../../exercises/workload'
import { LAYERS, LOGGED, ROWS, SIDES, type Network } from './checks'

/** A layer on so few rows reaches so much of the usual rate. */
const THIN_SHARE = 0.25
/** Shorter layers make a trip cost more than the layers between two of them. */
const MOST_LAYER_MS = 0.5

/** About how long a layer takes, ms. */
const layerMs = (n: number, gflops: number | null): number =>
  (2 * ROWS * n * n) / ((gflops ?? 1) * THIN_SHARE * 1e6)

export const prepare: PrepareExercise<Network> = async (context, { plan, seed, matmulGflops }) => {
  const largest = SIDES.findLast((side) => layerMs(side, matmulGflops) <= MOST_LAYER_MS) ?? SIDES[0]
  const n = Number(plan?.['n'] ?? largest)
  const buffer = (label: string, words: number) => context.buffer(label, 4 * words, STORAGE)
  const results = [await buffer('result 0', ROWS * n), await buffer('result 1', ROWS * n)] as const
  const weights = await buffer('weights', n * n)
  const readback = await createReadback(context, 4 * ROWS * n + 4)
  const encodes = noteEncodes(context.session)
  let given: readonly Dispatch[] = []

  const layerFrom = async (x: OwnedBuffer, y: OwnedBuffer) => {
    const layer = await createLayer(
      context,
      findMatmul(shared.kernel.default, context.device),
      [ROWS, n],
      [x, weights, y],
    )
    const mean = await createMean(context, y, ROWS * n)
    given = [layer.dispatch, ...mean.dispatches]
    return {
      x: x.gpu,
      y: y.gpu,
      mean: { encode: mean.encode, value: mean.value },
      ...encodes.lend(layer),
    }
  }
  const [there, back] = [await layerFrom(...results), await layerFrom(results[1], results[0])]
  const layers = Array.from({ length: LAYERS }, (_, step) => (step % 2 === 0 ? there : back))

  return {
    plan: { n },
    given,
    runs: runsOf({
      name: 'network',
      input: { layers, logged: LOGGED, readback, bytes: 4 * ROWS * n },
      before: async () => {
        const operands = [[results[0], seedFor(0, seed)], [weights, seedFor(1, seed)]] as const // oxfmt-ignore
        await setBuffers(context, operands, [results[1]])
        encodes.clear()
      },
      find: () => ({ n, ...encodes.found() }),
    }),
  }
}
