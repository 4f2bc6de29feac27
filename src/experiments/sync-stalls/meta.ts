/** What does `.item()` or `print(tensor)` cost? The same steps, reading a result back every step, every k-th, or never. */
import type { ExperimentMeta } from '../experiment'
import { kernelParam, matmulSources, matrixSizeParam, repeatsParam } from '../shared-params'

const NEVER_READ = 'nothing is read back until all steps have been submitted'

export const syncStalls: ExperimentMeta = {
  id: 'sync-stalls',
  title: 'Host–device sync stalls',
  question: 'What does .item() or print(tensor) cost?',
  params: [
    {
      type: 'choice',
      name: 'read',
      label: 'What the host reads',
      help: 'A scalar, the whole matrix, only the shape (which the host already has), or a value that decides what to submit next.',
      place: 'dial',
      default: 'item',
      options: [
        { value: 'item', label: '4 bytes, as .item()' },
        { value: 'matrix', label: 'the whole matrix, as print(tensor)' },
        { value: 'shape', label: 'the shape only' },
        { value: 'branch', label: 'a data-dependent if' },
      ],
    },
    {
      type: 'number',
      name: 'kernelMs',
      label: 'Time of one matmul',
      help: 'The matrix is sized from the measured rate of this device so that one matmul takes about this long.',
      place: 'dial',
      default: 0.3,
      min: 0.1,
      max: 20,
      integer: false,
      unit: 'ms',
      scale: 'log2',
    },
    {
      type: 'list',
      name: 'every',
      label: 'How often',
      help: 'Each is a variant, run interleaved with the others.',
      place: 'more',
      default: ['never', 'every-4', 'every-step'],
      options: [
        { value: 'never', label: 'never' },
        { value: 'every-64', label: 'every 64th step' },
        { value: 'every-16', label: 'every 16th step' },
        { value: 'every-4', label: 'every 4th step' },
        { value: 'every-step', label: 'every step' },
      ],
    },
    {
      type: 'number',
      name: 'steps',
      label: 'Steps',
      help: 'Matmuls in each repeat, each in a submission of its own.',
      place: 'more',
      default: 32,
      min: 2,
      max: 512,
      integer: true,
      unit: '',
      scale: 'log2',
    },
    kernelParam,
    matrixSizeParam,
    repeatsParam,
  ],
  presets: [
    {
      id: 'short',
      label: 'Short run',
      values: { steps: 6, repeats: 2, kernelMs: 1, every: ['never', 'every-step'] },
    },
    { id: 'long-kernels', label: 'Long kernels', values: { kernelMs: 8, steps: 16 } },
    { id: 'shape', label: 'Only the shape', values: { read: 'shape' } },
  ],
  requires: [],
  sources: matmulSources,
  metrics: [
    { name: 'device-busy-ratio', label: 'Device busy' },
    { name: 'step-ms', label: 'Time of a step' },
    { name: 'slowdown', label: 'Slower than never reading' },
    { name: 'stall-ms', label: 'Host waited for a readback' },
    { name: 'idle-per-stall-ms', label: 'Device idle for a readback' },
    { name: 'host-free-ratio', label: 'Host neither encoding nor submitting' },
    { name: 'kernel-ms', label: 'One matmul on the device' },
  ],
  remedies: ['every-step', 'every-4', 'every-16', 'every-64'].map((variant) => ({
    variant,
    cause: 'host-waited',
    by: 'never',
    change: NEVER_READ,
    values: { every: ['never', variant] },
  })),
}
