/** Sizes a matmul to the target time; C is checked after every window. */
import { describeSteps, prepareSteps } from '../matmul-workload'
import type { Prepare } from '../run-types'
import { fitRun } from '../sizing'
import type { asyncSubmission } from './meta'

export const prepare: Prepare<typeof asyncSubmission> = async (context, values, services) => {
  const work = await prepareSteps(context, services, values, values.steps)
  const { steps, repeats } = fitRun(values, (count) => {
    // Queued: kernels and one round trip; awaited: as many round trips as steps.
    return 2 * count * work.kernelMs + (count + 1) * services.roundTripMs
  })
  const input = { matmul: work.matmul, steps }
  const before = () => work.reset()
  const check = () => work.verify(steps)
  return {
    derived: { ...describeSteps(work), steps },
    repeats,
    variants: ['queued', 'await-each'].map((name) => ({ name, input, before, check })),
  }
}
