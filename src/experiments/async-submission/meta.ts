/** Why does `submit()` return at once? N matmuls submitted and then awaited once, against awaiting each. */
import type { ExperimentMeta } from '../experiment'
import { kernelParam, matmulSources, matrixSizeParam, repeatsParam } from '../shared-params'

export const asyncSubmission: ExperimentMeta = {
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
  ],
  presets: [
    { id: 'short', label: 'Short run', values: { steps: 6, kernelMs: 1, repeats: 2 } },
    { id: 'long-kernels', label: 'Long kernels', values: { steps: 24, kernelMs: 10 } },
  ],
  requires: [],
  sources: matmulSources,
  metrics: [
    { name: 'host-free-ratio', label: 'Host free' },
    { name: 'device-busy-ratio', label: 'Device busy' },
    { name: 'step-ms', label: 'Time of a step' },
    { name: 'total-ms', label: 'All steps' },
    { name: 'submit-us', label: 'Inside submit()' },
    { name: 'encode-us', label: 'Encoding a step' },
    { name: 'kernel-ms', label: 'One matmul on the device' },
    { name: 'queue-depth-max', label: 'Deepest queue' },
    { name: 'launch-gap-us', label: 'Device idle between passes' },
    { name: 'completion-lag-ms', label: 'Device end until the host heard' },
  ],
  remedies: [
    {
      variant: 'await-each',
      cause: 'host-waited',
      by: 'queued',
      change: 'all steps are submitted, and only the last is awaited',
      values: {},
    },
  ],
}
