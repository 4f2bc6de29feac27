/**
 * Why does `submit()` return at once? N matmuls submitted and then awaited once, against awaiting
 * each.
 */
import { betweenPasses, busyRatio, completionLag } from '../declare/device-samplers'
import { defineExperiment, remedy } from '../declare/experiment'
import { valueIn } from '../../text/facts'
import { freeRatio, largestOf, MATMUL, medianSpan, steps, windowOver } from '../declare/samplers'
import { matmulSources, shared } from '../shared-params'

export const asyncSubmission = defineExperiment({
  id: 'async-submission',
  title: 'Asynchronous submission',
  question: 'Why does submit() return at once?',
  params: [
    {
      ...shared.steps,
      help: 'Matmuls submitted one after another, each in a submission of its own.',
      place: 'dial',
      default: 48,
      min: 1,
    },
    shared.kernelMs,
    shared.kernel,
    shared.matrixSize,
    shared.repeats,
    shared.seconds,
  ],
  short: { steps: 6, kernelMs: 1, repeats: 2 },
  sources: matmulSources,
  remedies: [
    remedy('await-each', 'host-waited', 'queued', 'all steps are submitted, and only the last is awaited'),
  ],
  variants: () => ['queued', 'await-each'],
  // A lag that is not above zero lies within the bound of the clock fit and says nothing.
  names: (facts) => ({
    lagging:
      ['await-each', 'queued'].find((variant) => (valueIn(facts, 'completion-lag-ms', variant) ?? 0) > 0) ??
      null,
  }),
  metrics: {
    'host-free-ratio': ['Host free', freeRatio()],
    'device-busy-ratio': ['Device busy', busyRatio()],
    'step-ms': ['Time of a step', windowOver(steps)],
    'total-ms': ['All steps', windowOver()],
    'submit-us': ['Inside submit()', medianSpan({ role: 'submit' })],
    'encode-us': ['Encoding a step', medianSpan({ role: 'encode' })],
    'kernel-ms': ['One matmul on the device', medianSpan(MATMUL)],
    'queue-depth-max': ['Deepest queue', largestOf('queue depth')],
    'launch-gap-us': ['Device idle between passes', betweenPasses({ kind: 'compute' })],
    'completion-lag-ms': [
      'Device end until completion was reported',
      completionLag(),
      { note: 'both clocks: the bound holds that of the clock fit' },
    ],
  },
})
