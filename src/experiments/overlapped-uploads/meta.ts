/** Copy batch N+1 while computing batch N? Compute alone, uploads alone, one after the other, and rings of staging buffers. */
import { busyRatio } from '../declare/device-samplers'
import { defineExperiment } from '../declare/experiment'
import { NOT_NEGATIVE, SHARE, type View } from '../declare/metric'
import {
  amountOverWindow,
  freeRatio,
  medianSpan,
  ofWindows,
  rateOf,
  steps,
  windowOver,
} from '../declare/samplers'
import { kernelParam, matmulSources, repeatsParam, secondsParam } from '../shared-params'
import { namesOf, overlappedUploadsRules } from './rules'
import {
  COMPUTE_ONLY,
  isTogether,
  isUploading,
  ringDepth,
  ringVariant,
  SERIAL,
  UPLOAD_ONLY,
} from './variants'

const RINGS = ['1', '2', '3', '4', '5', '6', '7', '8'] as const
const OTHERS_FLY = 'the next staging buffer is filled while the one before it is in flight'
const ALONE = [COMPUTE_ONLY, UPLOAD_ONLY] as const

type WithSteps = View<{ readonly steps: number }>
const batchBytes = ({ evidence }: WithSteps): number => Number(evidence.derived['batchBytes'])

/**
 * Each window ends when its completion is reported, some ms after the device ended, and this once-a-window lag counts twice in the
 * sum of the two alone but once in the window of both: their overlap is too high by at most one lag over the shorter of the two.
 */
const lagOverShorter = ({ evidence, windows, windowOf }: View<unknown>): number => {
  const lagNs = (evidence.completionLatencyMs ?? 0) * 1e6
  const shares = windows.map(({ repeat }) => {
    const lengths = ALONE.flatMap((variant) => windowOf(variant, repeat) ?? []).map(
      (window) => window.endNs - window.startNs,
    )
    return lagNs / Math.min(...lengths)
  })
  return Math.max(0, ...shares)
}

export const overlappedUploads = defineExperiment({
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
    secondsParam,
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
  /** From one staging buffer to a ring of them; and from awaiting the result to awaiting no more than the staging buffer. */
  remedies: [
    ...['2', '3'].flatMap((depth) =>
      [SERIAL, ringVariant(1)].map((variant) => ({
        variant,
        cause: 'upload-not-ready' as const,
        by: ringVariant(depth),
        change: OTHERS_FLY,
        values: { rings: variant === SERIAL ? [depth] : ['1', depth] },
      })),
    ),
    {
      variant: SERIAL,
      cause: 'host-waited',
      by: ringVariant(1),
      change: 'the host awaits its one staging buffer, and no result',
      values: { rings: ['1'] },
    },
  ],
  variants: ({ rings }) => [...ALONE, SERIAL, ...rings.map(ringVariant)],
  program: (variant, { submission }) => {
    if (!isTogether(variant)) return variant
    return `${variant === SERIAL ? 'serial' : 'ring'}${submission === 'split' ? '-split' : ''}`
  },
  names: ({ metrics }) => namesOf(metrics),
  metrics: [
    {
      name: 'overlap-efficiency',
      label: 'Overlap',
      unit: 'ratio',
      origin: 'host-clock',
      variants: isTogether,
      // 1: all of the shorter one is hidden, 0: none of it, below 0: worse than the sum.
      sample: ofWindows(
        ALONE,
        (own, [compute = Number.NaN, upload = Number.NaN]) =>
          (compute + upload - own) / Math.min(compute, upload),
        lagOverShorter,
      ),
    },
    {
      name: 'step-ms',
      label: 'Time of a step',
      unit: 'ms',
      origin: 'host-clock',
      range: NOT_NEGATIVE,
      sample: windowOver(steps),
    },
    {
      name: 'versus-ideal',
      label: 'Over max(compute, upload)',
      unit: 'ratio',
      isFactor: true,
      origin: 'host-clock',
      variants: isTogether,
      sample: ofWindows(ALONE, (own, alone) => own / Math.max(...alone)),
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
      // Over the whole window, computing included: the rate that a training loop would see.
      name: 'upload-gb-per-s',
      label: 'Upload rate',
      unit: 'GB/s',
      origin: 'host-clock',
      variants: isUploading,
      sample: amountOverWindow((view: WithSteps) => batchBytes(view) * steps(view)),
    },
    {
      name: 'fill-ms',
      label: 'Host filling a staging buffer',
      unit: 'ms',
      origin: 'host-clock',
      range: NOT_NEGATIVE,
      variants: isUploading,
      sample: medianSpan({ role: 'fill' }),
    },
    {
      name: 'device-copy-ms',
      label: 'Copy on the device (upper bound)',
      unit: 'ms',
      origin: 'device-clock',
      range: NOT_NEGATIVE,
      variants: isUploading,
      note: 'upper bound, between two passes; whether it is the crossing of the bus differs from system to system',
      sample: medianSpan({ role: 'copy' }),
    },
    {
      name: 'host-free-ratio',
      label: 'Host neither filling nor submitting',
      unit: 'ratio',
      origin: 'host-clock',
      range: SHARE,
      sample: freeRatio(),
    },
    {
      name: 'device-copy-gb-per-s',
      label: 'Rate of the copy on the device (lower bound)',
      unit: 'GB/s',
      origin: 'device-clock',
      variants: isUploading,
      note: 'lower bound: its time is an upper one',
      sample: rateOf(batchBytes, { name: 'device-copy-ms' }),
    },
    {
      name: 'saved-of-serial',
      label: 'Saved against serial, over min(compute, upload)',
      unit: 'ratio',
      origin: 'host-clock',
      variants: (variant) => ringDepth(variant) > 0,
      sample: ofWindows(
        [...ALONE, SERIAL],
        (own, [compute = Number.NaN, upload = Number.NaN, serial = Number.NaN]) =>
          (serial - own) / Math.min(compute, upload),
      ),
    },
  ],
  rules: overlappedUploadsRules,
})
