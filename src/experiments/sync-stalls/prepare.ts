/**
 * Sizes a matmul; every variant runs the same steps and reads at its own interval. A point of the curve is a kernel of its own
 * length: so many of the smallest matmul in one pass. C is checked after every window, and so is every value that was read.
 */
import { tickKernel } from '../../gpu/kernels/calibrate/tick'
import { kernelCall } from '../../gpu/kernels/kernel'
import { USAGE } from '../../gpu'
import { checkProduct, mergeVerifications } from '../../lab/check-product'
import { createPass } from '../../lab/matmul'
import { createReadback } from '../../lab/staging'
import { describeSteps, prepareSteps } from '../matmul-workload'
import type { Prepare } from '../run-types'
import type { ValuesOf } from '../declare'
import { boundedKernelMs, fitRun } from '../sizing'
import { expectedProduct } from '../square-matmul'
import type { syncStalls } from './meta'
import { curveMs, readInterval } from './variants'

export const prepare: Prepare<ValuesOf<typeof syncStalls>> = async (context, values, services, variants) => {
  const curve = variants.flatMap((name) => curveMs(name) ?? [])
  const wantedMs = boundedKernelMs(values.kernelMs, values.steps)
  const kernelMs = Math.min(wantedMs, ...curve)
  const work = await prepareSteps(context, services, { ...values, kernelMs }, values.steps)
  // A size that was asked for takes as long as it takes.
  const timesOf = (name: string): number =>
    values.matrixSize > 0 && curveMs(name) === null
      ? 1
      : Math.max(1, Math.round((curveMs(name) ?? wantedMs) / work.kernelMs))
  const { steps, repeats } = fitRun(values, values.seconds * 1e3, (count) =>
    variants.reduce((sum, name) => {
      const reads = Math.floor(count / readInterval(name)) + 1
      return sum + count * timesOf(name) * work.kernelMs + reads * services.roundTripMs
    }, 0),
  )
  const bytes = values.read === 'matrix' ? work.c.sizeBytes : 4
  const readback = await createReadback(context, bytes)
  const target = await context.buffer('tick', 16, USAGE.storage)
  const extra = createPass(await context.dispatch(kernelCall(tickKernel, {}), [target]), 'branch taken')

  return {
    derived: { ...describeSteps(work), steps, repeats, bytesPerRead: values.read === 'shape' ? 0 : bytes },
    repeats,
    variants: variants.map((name) => {
      const times = timesOf(name)
      const every = readInterval(name)
      return {
        name,
        input: { matmul: work.matmul, steps, times, every, readback, bytes, extra },
        before: () => work.reset(),
        check: async (output) => {
          const values = readValues(output)
          const read = values.map(({ step, value }) =>
            checkProduct(
              expectedProduct(work.n, (step + 1) * times),
              [[0, 0]],
              [value],
              'every value that was read back',
            ),
          )
          return mergeVerifications([await work.verify(steps * times), ...read])
        },
      }
    }),
  }
}

/** What the programs that read return; of the others, nothing. */
function readValues(output: unknown): readonly { readonly step: number; readonly value: number }[] {
  const values = Array.isArray(output) ? (output as readonly unknown[]) : []
  return values.flatMap((one) => {
    const { step, value } = one as { readonly step?: unknown; readonly value?: unknown }
    return typeof step === 'number' && typeof value === 'number' ? [{ step, value }] : []
  })
}
