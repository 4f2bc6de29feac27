/**
 * Copy batch N+1 while computing batch N? Compute alone, uploads alone, one after the other, and
 * rings of staging buffers.
 */
import { busyRatio } from '../declare/device-samplers'
import { defineExperiment, OTHERS_FLY, remedy } from '../declare/experiment'
import { valueIn, type Facts } from '../../text/facts'
import type { View } from '../declare/metric'
import { list, number } from '../declare/params'
import {
  derivedOf,
  freeRatio,
  lengthOf,
  medianSpan,
  ofWindows,
  rateOf,
  steps,
  windowOver,
} from '../declare/samplers'
import { matmulSources, shared } from '../shared-params'
import {
  ALL,
  ALONE,
  isTogether,
  isUploading,
  ringDepth,
  ringVariant,
  ringWords,
  SERIAL,
  RINGS,
} from './variants'

/**
 * Each window ends when its completion is reported, some ms after the device ended, and this
 * once-a-window lag counts twice in the sum of the two alone but once in the window of both: their
 * overlap is too high by at most one lag over the shorter of the two.
 */
const lagOverShorter = ({ evidence, windows, windowOf }: View<unknown>): number => {
  const lagNs = (evidence.completionLatencyMs ?? 0) * 1e6
  const shares = windows.map(({ repeat }) => {
    const alone = ALONE.flatMap((variant) => windowOf(variant, repeat) ?? [])
    return lagNs / Math.min(...alone.map(lengthOf))
  })
  return Math.max(0, ...shares)
}

/** The rings of verdict.md, and what they are called there. */
function ringsIn(facts: Facts) {
  const overlapOf = (ring: string): number => valueIn(facts, 'overlap-efficiency', ring) ?? -Infinity
  const rings = facts.metrics
    .filter(({ name, variant, value }) => name === 'step-ms' && ringDepth(variant) > 0 && value !== null)
    .map(({ variant }) => variant)
    .toSorted((a, b) => ringDepth(a) - ringDepth(b))
  const byOverlap = rings.toSorted((a, b) => overlapOf(b) - overlapOf(a))
  const best = byOverlap.find((ring) => overlapOf(ring) > -Infinity) ?? null
  const several = rings.filter((ring) => ringDepth(ring) >= 2)
  const main = several[0] ?? rings[0] ?? null
  const deepest = several.slice(1).at(-1) ?? null
  return {
    best,
    main,
    deepest,
    bestRing: ringWords(best),
    mainRing: ringWords(main),
    deepestRing: ringWords(deepest),
  }
}

export const overlappedUploads = defineExperiment({
  id: 'overlapped-uploads',
  title: 'Overlapped uploads',
  question: 'Can batch N+1 travel while batch N is computed?',
  params: [
    list(
      'rings',
      'Staging buffers in the ring',
      'Each depth is a variant. It takes turns with the others: compute alone, upload alone and serial.',
      RINGS,
      { place: 'dial', default: ['1', '2', '3'] },
    ),
    number(
      'balance',
      'Compute time over upload time',
      'The matmul on each batch is sized to take this many times as long as an upload that is timed before the run. In the run, both may take another time.',
      { place: 'dial', default: 1.5, min: 0.25, max: 4, integer: false, unit: '×', scale: 'log2' },
    ),
    number(
      'batchMiB',
      'Batch size',
      'MiB uploaded each step; 0 sizes it from the measured upload rate, so that one upload takes about 6 ms.',
      { default: 0, min: 0, max: 64, integer: false, unit: 'MiB' },
    ),
    {
      ...shared.steps,
      label: 'Batches',
      help: 'Batches uploaded and computed in each repeat.',
      default: 16,
      max: 128,
    },
    shared.kernel,
    { ...shared.repeats, default: 3 },
    shared.seconds,
  ],
  short: { steps: 3, repeats: 2, rings: ['1', '2'], batchMiB: 0.25 },
  sources: [...matmulSources, 'shaders/data/gather.wgsl'],
  /**
   * Two changes help: a ring instead of one staging buffer, and awaiting the staging buffer instead
   * of the result.
   */
  remedies: [
    ...['2', '3'].flatMap((depth) =>
      [SERIAL, ringVariant(1)].map((variant) =>
        remedy(variant, 'upload-not-ready', ringVariant(depth), OTHERS_FLY, {
          rings: variant === SERIAL ? [depth] : ['1', depth],
        }),
      ),
    ),
    remedy(SERIAL, 'host-waited', ringVariant(1), 'the host awaits its one staging buffer, and no result', {
      rings: ['1'],
    }),
  ],
  all: ALL,
  variants: ({ rings }) => [...ALONE, SERIAL, ...rings.map(ringVariant)],
  names: ringsIn,
  metrics: {
    'overlap-efficiency': [
      'Overlap',
      // 1: all of the shorter one is hidden, 0: none of it, below 0: worse than the sum.
      ofWindows(
        ALONE,
        (own, [compute = Number.NaN, upload = Number.NaN]) =>
          (compute + upload - own) / Math.min(compute, upload),
        lagOverShorter,
      ),
      { variants: isTogether },
    ],
    'step-ms': ['Time of a step', windowOver(steps)],
    'device-busy-ratio': ['Device busy', busyRatio()],
    'fill-ms': ['Host filling a staging buffer', medianSpan({ role: 'fill' }), { variants: isUploading }],
    'device-copy-ms': [
      'Copy on the device (upper bound)',
      medianSpan({ role: 'copy' }),
      {
        variants: isUploading,
        note: 'upper bound, between two passes; whether the bytes cross the bus in it differs from system to system',
      },
    ],
    'host-free-ratio': ['Host neither filling nor submitting', freeRatio()],
    'device-copy-gb-per-s': [
      'Rate of the copy on the device (lower bound)',
      rateOf(derivedOf('batchBytes'), { name: 'device-copy-ms' }),
      { variants: isUploading, note: 'lower bound: its time is an upper one' },
    ],
    'saved-of-serial': [
      'Saved against serial, over min(compute, upload)',
      ofWindows(
        [...ALONE, SERIAL],
        (own, [compute = Number.NaN, upload = Number.NaN, serial = Number.NaN]) =>
          (serial - own) / Math.min(compute, upload),
      ),
      { variants: (variant) => ringDepth(variant) > 0 },
    ],
  },
})
