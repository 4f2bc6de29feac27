/**
 * Sizes a batch, makes what the programs need, and checks every batch bit for bit on 256 words that
 * the device kept of it.
 */
import { checkArrivals, createArrivals } from '../../lab/arrivals'
import { createOperands } from '../../lab/operands'
import { createStaging } from '../../lab/staging'
import type { Prepare } from '../run-types'
import { fitRun, roundOf } from '../sizing'
import { depthOf, NEW, type stagingBuffers } from './meta'
import { mostSteps, sizeBatch } from './sizes'

const SEED = 7
const LEAST_STEPS = 4
/**
 * Windows before the same batches come round again: what an earlier one left behind is found wrong.
 */
const CYCLE = 8

/** New memory against a write: 1.2 times on an H200, up to 3 on SwiftShader. */
const NEW_TAKES = 3

export const prepare: Prepare<typeof stagingBuffers> = async (context, values, services, variants) => {
  const { roundTripMs, say } = services
  const { session } = context
  say('sizing a batch')
  const { batchBytes, writeMs } = await sizeBatch(context, values.batchMiB)
  const words = batchBytes / 4
  const loaderMs = values.loader * writeMs
  const { steps, repeats } = fitRun(
    { ...values, steps: mostSteps(values.steps, batchBytes) },
    roundOf(variants, (each, count) => windowMs(each, count, { writeMs, loaderMs, roundTripMs })),
    LEAST_STEPS,
  )
  const arrivals = await createArrivals(context, words, steps)
  const staging = await createStaging(context, Math.max(...variants.map(depthOf)), batchBytes)
  const batches = createOperands(words, steps + CYCLE, SEED)
  let first = 0

  /** Does what a loader does that decodes: it takes its time on the host. */
  const load = (): void => {
    const startNs = session.now()
    while (session.now() - startNs < loaderMs * 1e6);
    session.hostSpan('host-work', 'compute', 'loader', startNs, session.now())
  }
  const batch = (step: number): Float32Array => {
    if (loaderMs > 0) load()
    return batches.of(first + step)
  }
  return {
    derived: { batchBytes, writeMs, loaderMs, roundTripMs, stepsAsked: values.steps, steps },
    repeats,
    variants: variants.map((name) => ({
      name,
      input: {
        batch,
        bytes: batchBytes,
        staging: staging.buffers.slice(0, depthOf(name)),
        target: arrivals.target.gpu,
        uses: arrivals.uses,
      },
      before: async () => {
        first = (first + 1) % CYCLE
        await arrivals.clear()
        await staging.map(depthOf(name))
      },
      check: async () =>
        checkArrivals(await arrivals.read(), words, (step, position) =>
          batches.valueAt(first + step, position),
        ),
    })),
  }
}

/**
 * About how long a window takes: where completion is reported late, a staging buffer comes back
 * late.
 */
export function windowMs(
  variant: string,
  steps: number,
  { writeMs, loaderMs, roundTripMs }: Readonly<Record<'writeMs' | 'loaderMs' | 'roundTripMs', number>>,
): number {
  const depth = depthOf(variant)
  const awayMs = depth === 0 ? 0 : (writeMs + roundTripMs) / depth
  return steps * Math.max((variant === NEW ? NEW_TAKES : 1) * writeMs + loaderMs, awayMs) + roundTripMs
}
