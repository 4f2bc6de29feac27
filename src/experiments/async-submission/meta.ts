/** Why does `submit()` return at once? N matmuls submitted and then awaited once, against awaiting each. */
import { betweenPasses, busyRatio, completionLag } from '../declare/device-samplers'
import { defineExperiment } from '../declare/experiment'
import { valueIn } from '../declare/facts'
import { NOT_NEGATIVE, SHARE } from '../declare/metric'
import { freeRatio, largestOf, MATMUL, medianSpan, steps, windowOver } from '../declare/samplers'
import { kernelParam, matmulSources, matrixSizeParam, repeatsParam, secondsParam } from '../shared-params'
import { asyncSubmissionRules } from './rules'

export const asyncSubmission = defineExperiment({
  id: 'async-submission',
  title: 'Asynchronous submission',
  question: 'Why does submit() return at once?',
  params: [
    {
      type: 'number',
      name: 'steps',
      label: 'Steps',
      help: 'Matmuls submitted one after another, each in a submission of its own.',
      place: 'dial',
      default: 48,
      min: 1,
      max: 512,
      integer: true,
      unit: '',
      scale: 'log2',
    },
    {
      type: 'number',
      name: 'kernelMs',
      label: 'Time of one matmul',
      help: 'The matrix is sized from the measured rate of this device so that one matmul takes about this long.',
      place: 'dial',
      default: 2,
      min: 0.1,
      max: 20,
      integer: false,
      unit: 'ms',
      scale: 'log2',
    },
    kernelParam,
    matrixSizeParam,
    repeatsParam,
    secondsParam,
  ],
  presets: [
    { id: 'short', label: 'Short run', values: { steps: 6, kernelMs: 1, repeats: 2 } },
    { id: 'long-kernels', label: 'Long kernels', values: { steps: 24, kernelMs: 10 } },
  ],
  // About 2 ms each: long enough to be seen, short enough to be no burden.
  heartbeat: { steps: 8, kernelMs: 2, repeats: 2 },
  requires: [],
  sources: matmulSources,
  remedies: [
    {
      variant: 'await-each',
      cause: 'host-waited',
      by: 'queued',
      change: 'all steps are submitted, and only the last is awaited',
      values: {},
    },
  ],
  variants: () => ['queued', 'await-each'],
  // A lag that is not above zero lies within the bound of the clock fit and says nothing.
  names: (facts) => ({
    lagging:
      ['await-each', 'queued'].find((variant) => (valueIn(facts, 'completion-lag-ms', variant) ?? 0) > 0) ??
      null,
  }),
  metrics: [
    {
      name: 'host-free-ratio',
      label: 'Host free',
      unit: 'ratio',
      origin: 'host-clock',
      range: SHARE,
      sample: freeRatio(),
    },
    {
      name: 'device-busy-ratio',
      label: 'Device busy',
      unit: 'ratio',
      origin: 'device-clock',
      range: SHARE,
      sample: busyRatio(),
    },
    {
      name: 'step-ms',
      label: 'Time of a step',
      unit: 'ms',
      origin: 'host-clock',
      range: NOT_NEGATIVE,
      sample: windowOver(steps),
    },
    { name: 'total-ms', label: 'All steps', unit: 'ms', origin: 'host-clock', sample: windowOver() },
    {
      name: 'submit-us',
      label: 'Inside submit()',
      unit: 'us',
      origin: 'host-clock',
      range: NOT_NEGATIVE,
      sample: medianSpan({ role: 'submit' }),
    },
    {
      name: 'encode-us',
      label: 'Encoding a step',
      unit: 'us',
      origin: 'host-clock',
      range: NOT_NEGATIVE,
      sample: medianSpan({ role: 'encode' }),
    },
    {
      name: 'kernel-ms',
      label: 'One matmul on the device',
      unit: 'ms',
      origin: 'device-clock',
      range: NOT_NEGATIVE,
      sample: medianSpan(MATMUL),
    },
    {
      name: 'queue-depth-max',
      label: 'Deepest queue',
      unit: 'count',
      origin: 'host-clock',
      sample: largestOf('queue depth'),
    },
    {
      name: 'launch-gap-us',
      label: 'Device idle between passes',
      unit: 'us',
      origin: 'device-clock',
      sample: betweenPasses({ kind: 'compute' }),
    },
    {
      name: 'completion-lag-ms',
      label: 'Device end until completion was reported',
      unit: 'ms',
      origin: 'derived',
      note: 'both clocks: the bound holds that of the clock fit',
      sample: completionLag(),
    },
  ],
  rules: asyncSubmissionRules,
})
