/**
 * Pageable or pinned, in a browser: writeBuffer(), a new mapped buffer for each batch, one that is
 * used again, and rings of them.
 */
import { defineExperiment, OTHERS_FLY, remedy, type Variant } from '../declare/experiment'
import { only } from '../declare/metric'
import { list, number } from '../declare/params'
import {
  bytesOf,
  derivedOf,
  medianSpan,
  timesAsFast,
  steps,
  sumOfSpans,
  windowOver,
  worked,
} from '../declare/samplers'
import { shared } from '../shared-params'
import { byId } from '../../base/lists'

const WRITE = 'write-buffer'
/** A new staging buffer for each batch. */
export const NEW = 'mapped-at-creation'
/** One staging buffer, used again. */
const REUSED = 'reused'
const ringVariant = (depth: string | number): string => `ring-${String(depth)}`
/** Deeper than the ring of every run. */
const DEEPER = ['3', '4', '8'] as const

/**
 * `depth`: staging buffers that a variant is given, mapped. Those of others are new, or the
 * browser's own.
 */
const ALL: readonly (Variant & { readonly depth: number })[] = [
  { id: REUSED, depth: 1 },
  ...['2', ...DEEPER].map((depth) => ({
    id: ringVariant(depth),
    program: 'ring',
    words: `a ring of ${depth}`,
    depth: Number(depth),
  })),
]
const found = byId(ALL)
export const depthOf = (variant: string): number => found(variant)?.depth ?? 0

/** Every run has these; `rings` adds deeper ones. */
const MAIN = [WRITE, NEW, REUSED, ringVariant(2)] as const

const staged = { variants: (variant: string) => variant !== WRITE }
const again = { variants: (variant: string) => depthOf(variant) > 0 }
const batchBytes = derivedOf('batchBytes')

/**
 * Counts how often all bytes of a batch are moved: by writeBuffer(), into a mapped buffer, out of
 * it.
 */
const copies = bytesOf<{ readonly steps: number }>(
  [{ role: 'write' }, { role: 'fill' }, { kind: 'staging-in-flight' }],
  (view) => batchBytes(view) * steps(view),
)

export const stagingBuffers = defineExperiment({
  id: 'staging-buffers',
  title: 'Staging buffers',
  question: 'What does it cost to send a batch, depending on where its bytes wait?',
  params: [
    number(
      'batchMiB',
      'Batch size',
      'MiB sent in each step; 0 sizes it from the measured rate of writeBuffer(), so that a batch takes about 20 ms, at most 32 MiB.',
      { place: 'dial', default: 0, min: 0, max: 64, integer: false, unit: 'MiB' },
    ),
    number(
      'loader',
      'Time of the loader over a write',
      'Before each batch the host computes, as a loader that decodes does, for this many times as long as writeBuffer() takes for a batch. 0: the batches are ready before the run.',
      { place: 'dial', default: 0, min: 0, max: 4, integer: false, unit: '×' },
    ),
    list('rings', 'Deeper rings', 'Rings of more than two staging buffers, each a variant.', DEEPER, {
      place: 'dial',
      default: [],
    }),
    { ...shared.steps, label: 'Batches', help: 'Batches sent in each repeat.', default: 8, min: 4, max: 64 },
    shared.repeats,
    shared.seconds,
  ],
  short: { steps: 6, repeats: 2, batchMiB: 4 },
  sources: ['shaders/data/gather.wgsl'],
  remedies: [remedy(REUSED, 'upload-not-ready', ringVariant(2), OTHERS_FLY)],
  all: ALL,
  variants: ({ rings }) => [...MAIN, ...rings.map(ringVariant)],
  names: (facts) => {
    const depths = facts.metrics
      .filter(({ name, value }) => name === 'step-ms' && value !== null)
      .map(({ variant }) => depthOf(variant))
    const deepest = Math.max(...depths)
    return { deepest: deepest > 2 ? ringVariant(deepest) : null }
  },
  metrics: {
    speedup: ['Faster than writeBuffer()', timesAsFast(WRITE), staged],
    'step-ms': ['Time of a batch', windowOver(steps)],
    // The same loader stands before every way; without one there is nothing to measure.
    'loader-ms': ['Host in the loader', medianSpan({ role: 'compute' }), only(ringVariant(2))],
    'create-ms': ['Host making a buffer', medianSpan({ role: 'create' }), only(NEW)],
    'fill-ms': ['Host filling a staging buffer', medianSpan({ role: 'fill' }), staged],
    'stall-ms': [
      'Host waited for a staging buffer, for each batch',
      sumOfSpans({ role: 'wait-staging' }, steps),
      again,
    ],
    'flight-ms': ['Staging buffer in flight', medianSpan({ kind: 'staging-in-flight' }), again],
    'device-copy-ms': [
      'Copy on the device (upper bound)',
      medianSpan({ role: 'copy' }),
      { ...staged, note: 'upper bound, between two passes; what it crosses differs from system to system' },
    ],
    copies: ['Copies of a batch that the program asked for', copies],
    'hidden-copies': [
      'Copies that the browser may add (inferred)',
      worked(
        'count',
        ({ variant }) => (depthOf(variant) > 0 ? 1 : 2),
        'up to; inferred from Chromium’s source, not measured: fewer where it can leave one out',
      ),
    ],
    'batch-bytes': [
      'Bytes of a batch',
      worked('count', batchBytes, 'by the size that every variant sends'),
      { at: [''] },
    ],
  },
})
