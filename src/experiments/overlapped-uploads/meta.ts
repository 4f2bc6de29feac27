/** Copy batch N+1 while computing batch N? Compute alone, uploads alone, one after the other, and rings of staging buffers. */
import type { ExperimentMeta, Remedy } from '../experiment'
import { kernelParam, matmulSources, repeatsParam } from '../shared-params'

const RINGS = ['1', '2', '3', '4', '5', '6', '7', '8']

const whileOthersFly = 'the next staging buffer is filled while the one before it is in flight'

/** From one staging buffer to a ring of them; and from awaiting the result to awaiting no more than the staging buffer. */
const remedies: readonly Remedy[] = [
  ...['2', '3'].flatMap((depth) => [
    {
      variant: 'serial',
      cause: 'upload-not-ready' as const,
      by: `ring-${depth}`,
      change: whileOthersFly,
      values: { rings: [depth] },
    },
    {
      variant: 'ring-1',
      cause: 'upload-not-ready' as const,
      by: `ring-${depth}`,
      change: whileOthersFly,
      values: { rings: ['1', depth] },
    },
  ]),
  {
    variant: 'serial',
    cause: 'host-waited',
    by: 'ring-1',
    change: 'the host awaits its one staging buffer, and no result',
    values: { rings: ['1'] },
  },
]

export const overlappedUploads: ExperimentMeta = {
  id: 'overlapped-uploads',
  title: 'Overlapped uploads',
  question: 'Can batch N+1 travel while batch N is computed?',
  params: [
    {
      type: 'list',
      name: 'rings',
      label: 'Staging buffers in the ring',
      help: 'Each depth is a variant, run interleaved with the others and with compute alone, upload alone and serial.',
      place: 'dial',
      default: ['1', '2', '3'],
      options: RINGS.map((value) => ({ value, label: value })),
    },
    {
      type: 'number',
      name: 'balance',
      label: 'Compute time over upload time',
      help: 'The matmul on each batch is sized so that it takes this many times as long as uploading the batch.',
      place: 'dial',
      default: 1.5,
      min: 0.25,
      max: 4,
      integer: false,
      unit: '×',
      scale: 'log2',
    },
    {
      type: 'number',
      name: 'batchMiB',
      label: 'Batch size',
      help: 'MiB uploaded each step; 0 sizes it from the measured upload rate, so that one upload takes about 6 ms.',
      place: 'more',
      default: 0,
      min: 0,
      max: 64,
      integer: false,
      unit: 'MiB',
      scale: 'linear',
    },
    {
      type: 'number',
      name: 'steps',
      label: 'Batches',
      help: 'Batches uploaded and computed in each repeat.',
      place: 'more',
      default: 16,
      min: 2,
      max: 128,
      integer: true,
      unit: '',
      scale: 'log2',
    },
    {
      type: 'choice',
      name: 'submission',
      label: 'Copy and compute',
      help: 'In one submission, or in two: a staging buffer is mapped again when the submission that used it has ended.',
      place: 'more',
      default: 'together',
      options: [
        { value: 'together', label: 'in one submission' },
        { value: 'split', label: 'in a submission each' },
      ],
    },
    kernelParam,
    { ...repeatsParam, default: 3 },
  ],
  presets: [
    {
      id: 'short',
      label: 'Short run',
      values: { steps: 3, repeats: 2, rings: ['1', '2'], batchMiB: 0.25 },
    },
    { id: 'compute-bound', label: 'Compute takes longer', values: { balance: 4 } },
    { id: 'upload-bound', label: 'Uploads take longer', values: { balance: 0.5 } },
  ],
  requires: [],
  sources: [...matmulSources, 'shaders/data/gather.wgsl'],
  metrics: [
    { name: 'overlap-efficiency', label: 'Overlap' },
    { name: 'step-ms', label: 'Time of a step' },
    { name: 'versus-ideal', label: 'Over max(compute, upload)' },
    { name: 'device-busy-ratio', label: 'Device busy' },
    { name: 'upload-gb-per-s', label: 'Upload rate' },
    { name: 'fill-ms', label: 'Host filling a staging buffer' },
    { name: 'device-copy-ms', label: 'Copy on the device (upper bound)' },
    { name: 'host-free-ratio', label: 'Host neither filling nor submitting' },
  ],
  remedies,
}
