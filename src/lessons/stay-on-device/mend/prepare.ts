/** Eight layers on a few rows, small enough for their result to be returned and short beside a trip to the host. */
import { USAGE, type Dispatch, type OwnedBuffer } from '../../../gpu'
import { shared } from '../../../experiments/shared-params'
import { findMatmul } from '../../../gpu/kernels/catalog'
import { fillKernel } from '../../../gpu/kernels/data/fill'
import { kernelCall } from '../../../gpu/kernels/kernel'
import { createLayer, createMean } from '../../../lab/layers'
import { createReadback } from '../../../lab/staging'
import { seedFor } from '../../../exercises/worker/square'
import { checkTimes } from '../../../exercises/worker/times'
import type { Given } from '../../../exercises/names'
import { runsOf, type PrepareExercise, type WorkloadRun } from '../../../exercises/workload'
import { type input, LAYERS, LOGGED, ROWS, SIDES, type Network } from './checks'

/** A layer on so few rows reaches so much of the usual rate. */
const THIN_SHARE = 0.25
/** So that a trip costs more than the layers between two of them. */
const MOST_LAYER_MS = 0.5

/** About how long a layer takes, ms. */
const layerMs = (n: number, gflops: number | null): number =>
  (2 * ROWS * n * n) / ((gflops ?? 1) * THIN_SHARE * 1e6)

export const prepare: PrepareExercise<Network> = async (context, { plan, seed, matmulGflops }) => {
  const largest = SIDES.findLast((side) => layerMs(side, matmulGflops) <= MOST_LAYER_MS) ?? SIDES[0]
  const n = Number(plan?.['n'] ?? largest)
  const buffer = (label: string, words: number) =>
    context.buffer(label, 4 * words, USAGE.storage | USAGE.copySrc | USAGE.copyDst)
  const results = [await buffer('result 0', ROWS * n), await buffer('result 1', ROWS * n)] as const
  const weights = await buffer('weights', n * n)
  const readback = await createReadback(context, 4 * ROWS * n + 4)
  const { session, queue } = context
  let given: readonly Dispatch[] = []
  let encodedNs: number[] = []

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
      encode: (encoder: GPUCommandEncoder, times = 1) => {
        checkTimes(times)
        layer.encode(encoder, times)
        for (let count = 0; count < times; count += 1) encodedNs.push(session.now())
      },
    }
  }
  const [there, back] = [await layerFrom(...results), await layerFrom(results[1], results[0])]
  const layers = Array.from({ length: LAYERS }, (_, step) => (step % 2 === 0 ? there : back))

  const runOf = (repeat: number, run: number): WorkloadRun<Network> => {
    const [seedX, seedW] = [seedFor(2 * run, seed), seedFor(2 * run + 1, seed)]
    return {
      name: 'network',
      repeat,
      facts: { n, seedX, seedW },
      input: { layers, logged: LOGGED, readback, bytes: 4 * ROWS * n } satisfies Given<typeof input>,
      before: async () => {
        const fills = [
          await context.dispatch(kernelCall(fillKernel, { count: ROWS * n, seed: seedX }), [results[0]]),
          await context.dispatch(kernelCall(fillKernel, { count: n * n, seed: seedW }), [weights]),
        ]
        const encoding = queue.encode('inputs')
        encoding.pass('fill', fills)
        encoding.clear(results[1])
        await queue.wait(queue.submit('inputs', [encoding]))
        for (const { uniforms } of fills) context.release(uniforms)
        encodedNs = []
      },
      find: () => Promise.resolve({ encodedNs }),
    }
  }
  return {
    plan: { n },
    given,
    runs: runsOf(runOf),
  }
}
