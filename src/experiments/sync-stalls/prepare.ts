/**
 * Sizes a matmul; every variant runs the same steps and reads at its own interval. C is checked
 * after every window, and so is every value that was read.
 */
import { checkProduct, mergeVerifications } from '../../lab/check-product'
import { hostWork } from '../../lab/lab'
import { createReadback } from '../../lab/staging'
import { describeSteps, prepareSteps } from '../matmul-workload'
import type { Prepare } from '../run-types'
import { fitRun, roundOf } from '../sizing'
import { expectedProduct } from '../square-matmul'
import { readsOf, type syncStalls } from './meta'

export const prepare: Prepare<typeof syncStalls> = async (context, values, services, variants) => {
  const { kernels, hostMs } = values
  const work = await prepareSteps(context, services, values, kernels * values.steps)
  const { steps, repeats } = fitRun(
    values,
    roundOf(variants, (name, count) => {
      const reads = Math.floor(count / readsOf(name).every) + 1
      return count * (kernels * work.kernelMs + hostMs) + reads * services.roundTripMs
    }),
  )
  const readback = await createReadback(context, 4)
  const given = {
    matmul: work.matmul,
    kernels,
    hostWork: hostWork(context.session, hostMs),
    steps,
    readback,
  }

  return {
    derived: { ...describeSteps(work), flopsPerStep: kernels * work.flops, steps },
    repeats,
    variants: variants.map((name) => ({
      name,
      input: { ...given, every: readsOf(name).every },
      before: () => work.reset(),
      check: async (output) => {
        const read = readValues(output).map(({ step, value }) =>
          checkProduct(
            expectedProduct(work.n, (step + 1) * kernels),
            [[0, 0]],
            [value],
            'every value that was read back',
          ),
        )
        return mergeVerifications([await work.verify(steps * kernels), ...read])
      },
    })),
  }
}

/** Reads what the programs that read return; the others return nothing. */
function readValues(output: unknown): readonly { readonly step: number; readonly value: number }[] {
  const values = Array.isArray(output) ? (output as readonly unknown[]) : []
  return values.flatMap((one) => {
    const { step, value } = one as { readonly step?: unknown; readonly value?: unknown }
    return typeof step === 'number' && typeof value === 'number' ? [{ step, value }] : []
  })
}
