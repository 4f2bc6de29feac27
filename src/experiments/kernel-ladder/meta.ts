/** Does a faster kernel help? The matmul kernels of the ladder on one size, beside this device's roofline, without and with transfers. */
import type { ExperimentMeta } from '../experiment'
import { kernelParam, matmulSources, matrixSizeParam, repeatsParam } from '../shared-params'

/** Everything a person can choose as a kernel, but for the choice that picks one of the others. */
const rungs = kernelParam.options.filter(({ value }) => value !== 'tuned')

export const kernelLadder: ExperimentMeta = {
  id: 'kernel-ladder',
  title: 'The kernel ladder',
  question: 'Does a faster kernel help?',
  params: [
    {
      type: 'choice',
      name: 'transfers',
      label: 'What each step moves',
      help: 'Uploading A and B and reading C back at every step, beside steps whose matrices stay on the device; or only the latter.',
      place: 'dial',
      default: 'each-step',
      options: [
        { value: 'each-step', label: 'A and B there, C back' },
        { value: 'none', label: 'nothing' },
      ],
    },
    {
      ...matrixSizeParam,
      help: 'The same for all kernels, or they could not be compared; 0 sizes it so that the slowest stays below 50 ms.',
      place: 'dial',
      max: 4096,
    },
    {
      type: 'list',
      name: 'rungs',
      label: 'Kernels',
      help: 'Rungs of the ladder; the first of them is what the others are compared with. Without the slow ones the matrix may be larger.',
      place: 'more',
      default: rungs.map(({ value }) => value),
      options: rungs,
    },
    {
      type: 'number',
      name: 'steps',
      label: 'Steps',
      help: 'Matmuls in each repeat, each in a submission of its own.',
      place: 'more',
      default: 3,
      min: 1,
      max: 32,
      integer: true,
      unit: '',
      scale: 'log2',
    },
    repeatsParam,
  ],
  presets: [
    {
      id: 'short',
      label: 'Short run',
      values: { rungs: ['naive', 'tiled', 'vectorised'], matrixSize: 64, steps: 2, repeats: 2 },
    },
    { id: 'resident', label: 'Nothing moved', values: { transfers: 'none' } },
    { id: 'small', label: 'Small matrices', values: { matrixSize: 64 } },
  ],
  requires: [],
  sources: [...matmulSources, 'shaders/calibrate/fma-peak.wgsl', 'shaders/calibrate/stream-copy.wgsl'],
  metrics: [
    { name: 'best-step-speedup', label: 'A step with transfers: fastest kernel over first' },
    { name: 'best-speedup', label: 'The matmul alone: fastest kernel over first' },
    { name: 'step-speedup-limit', label: 'A step if the kernel took no time at all' },
    { name: 'kernel-ms', label: 'One matmul on the device' },
    { name: 'gflops', label: 'Rate of the matmul' },
    { name: 'peak-share', label: 'Share of the measured peak' },
    { name: 'speedup', label: 'Faster than the first kernel' },
    { name: 'step-ms', label: 'Time of a step' },
    { name: 'device-busy-ratio', label: 'Device busy' },
    { name: 'step-gflops', label: 'Rate of a step with transfers' },
    { name: 'step-speedup', label: 'A step, faster than with the first kernel' },
    { name: 'not-kernel-share', label: 'Share of a step that is not the kernel' },
    { name: 'host-copy-ms', label: 'Host copying in a step' },
    { name: 'rest-ms', label: 'Rest of a step: on the way, or waiting' },
    { name: 'transfer-gb-per-s', label: 'Rate of the transfers' },
    { name: 'peak-gflops', label: 'Measured peak of multiply-adds' },
    { name: 'copy-gb-per-s', label: 'Measured bandwidth of device memory' },
    { name: 'intensity', label: 'Work for each byte that must move' },
  ],
}
