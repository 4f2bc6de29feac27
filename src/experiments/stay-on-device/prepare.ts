/**
 * A chain of layers with the same weights. What it leaves on the device is checked after every
 * window, and so is all that came back.
 */
import { readWords, USAGE, type OwnedBuffer } from '../../gpu'
import { findMatmul } from '../../gpu/kernels/catalog'
import { filled } from '../../gpu/kernels/data/fill'
import { expectedChain, type Expected } from '../../gpu/kernels/matmul/chain'
import { compareSamples, tolerance } from '../../gpu/kernels/matmul/reference'
import { mergeVerifications } from '../../lab/check-product'
import { createLayer, createMean, type Layer, type Mean } from '../../lab/layers'
import { createReadback } from '../../lab/staging'
import type { Verification } from '../../trace/report'
import type { Prepare } from '../run-types'
import { shared } from '../shared-params'
import { boundedKernelMs, fitRun } from '../sizing'
import { SEED_A, SEED_B, sizeSquare } from '../square-matmul'
import { ROUND_TRIPS, SCALAR_BACK, type stayOnDevice } from './meta'

/** Launches count in layers that are shorter. */
const LEAST_LAYER_MS = 0.2
/** A matrix of this side has 64 MiB. */
const LARGEST = 4096
const LEAST_STEPS = 4
/** Estimates assume a rate there and back that is low for a browser. */
const CARRIED_BYTES_PER_MS = 1.5e6
const SAMPLES = 64
const WHAT = 'entries of the last result, and all that came back, against a float64 reference'

export const prepare: Prepare<typeof stayOnDevice> = async (context, values, services, variants) => {
  const { roundTripMs, say } = services
  say('sizing a layer')
  const kernel = findMatmul(shared.kernel.default, context.device)
  const targetMs = boundedKernelMs(Math.max(LEAST_LAYER_MS, values.layer * roundTripMs), values.steps)
  const square = await sizeSquare(context, [kernel], {
    ...services,
    targetMs,
    fixedSize: values.matrixSize,
    maxSize: LARGEST,
  })
  const { n, a: first, b: weights, c: second } = square
  const layerMs = square.rungs[0]?.ms ?? targetMs
  const bytes = first.sizeBytes
  const { steps, repeats } = fitRun(
    values,
    (count) => count * (3 * layerMs + 2 * roundTripMs + (2 * bytes) / CARRIED_BYTES_PER_MS) + roundTripMs,
    LEAST_STEPS,
  )

  /** Layers read and write these: two in turn, or one more than there are layers. */
  const results: OwnedBuffer[] = [first, second]
  while (values.keep === 'all' && results.length <= steps)
    results.push(
      await context.buffer(`result ${String(results.length)}`, bytes, USAGE.storage | USAGE.copySrc),
    )
  const resultOf = (step: number): OwnedBuffer => results[step % results.length] ?? first
  const layers: (Layer & { readonly mean: Mean })[] = []
  for (let step = 0; step < Math.min(steps, results.length); step += 1) {
    const y = resultOf(step + 1)
    const layer = await createLayer(context, kernel, [n, n], [resultOf(step), weights, y])
    layers.push({ ...layer, mean: await createMean(context, y, n * n) })
  }
  const readback = await createReadback(context, bytes)
  const host = filled(n * n, SEED_A)
  const expected = expectedChain(host, filled(n * n, SEED_B), { n, layers: steps, samples: SAMPLES })
  const allowed = steps * tolerance(n, 1)
  const indices = expected.entries.map(({ index }) => index)
  const every = values.when === 'end' ? steps : 1
  const means = expected.means.filter((_, step) => (step + 1) % every === 0)

  const variantOf = (name: string) => {
    const isTrip = name === ROUND_TRIPS
    const last = isTrip ? second : resultOf(steps)
    return {
      name,
      input: {
        layers: Array.from({ length: steps }, (_, step) => layers[isTrip ? 0 : step % layers.length]),
        readback,
        ...(isTrip ? { host, bytes } : { every }),
      },
      before: () => square.reset('operands'),
      check: async (output: unknown) => {
        const left = new Float32Array((await readWords(context, last, indices)).buffer)
        const back = output instanceof Float32Array ? indices.map((index) => output[index]) : []
        return mergeVerifications([
          compare(expected.entries, left, allowed),
          ...(isTrip ? [compare(expected.entries, back, allowed)] : []),
          ...(name === SCALAR_BACK ? [compare(means, output, allowed)] : []),
        ])
      },
    }
  }
  return {
    derived: {
      matrixSize: n,
      matrixBytes: bytes,
      targetLayerMs: targetMs,
      calibratedLayerMs: layerMs,
      flopsPerStep: square.rungs[0]?.matmul.flops ?? 0,
      roundTripMs,
      steps,
    },
    repeats,
    variants: variants.map(variantOf),
  }
}

/** A missing result counts as wrong. */
function compare(expected: readonly Expected[], output: unknown, allowed: number): Verification {
  const got = Array.isArray(output) || output instanceof Float32Array ? Array.from<unknown>(output) : []
  const numbers = expected.map((_, index) => (typeof got[index] === 'number' ? got[index] : Number.NaN))
  const entries = expected.map(({ value, allowed: own }) => ({ value, scale: own / allowed }))
  return { ...compareSamples(entries, numbers, allowed), what: WHAT }
}
