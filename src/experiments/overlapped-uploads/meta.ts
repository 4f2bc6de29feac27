/**
 * Copy batch N+1 while computing batch N? Compute alone, uploads alone, one after the other, and rings of staging buffers. And where batches
 * have to be made first: in the loop, or by a worker.
 */
import { busyRatio } from '../declare/device-samplers'
import { defineExperiment } from '../declare/experiment'
import { valueIn, type Facts } from '../../text/facts'
import type { View } from '../declare/metric'
import { choice, list, number } from '../declare/params'
import {
  amountOverWindow,
  freeRatio,
  lengthOf,
  medianSpan,
  ofWindows,
  quotientOf,
  rateOf,
  steps,
  sumOfSpans,
  windowOver,
} from '../declare/samplers'
import { kernelParam, matmulSources, repeatsParam, secondsParam, stepsParam } from '../shared-params'
import {
  ALONE,
  INLINE,
  isMaking,
  isTogether,
  isUploading,
  LOADER_RING,
  madeAhead,
  ringDepth,
  ringVariant,
  SERIAL,
  variantInWords,
  workerVariant,
} from './variants'

const RINGS = ['1', '2', '3', '4', '5', '6', '7', '8'] as const
/** The ring through which made batches go, with batches at hand: what making adds is added to this. */
const AT_HAND = ringVariant(LOADER_RING)
const OTHERS_FLY = 'the next staging buffer is filled while the one before it is in flight'

type WithSteps = View<{ readonly steps: number }>
const batchBytes = ({ evidence }: WithSteps): number => Number(evidence.derived['batchBytes'])

/**
 * Each window ends when its completion is reported, some ms after the device ended, and this once-a-window lag counts twice in the
 * sum of the two alone but once in the window of both: their overlap is too high by at most one lag over the shorter of the two.
 */
const lagOverShorter = ({ evidence, windows, windowOf }: View<unknown>): number => {
  const lagNs = (evidence.completionLatencyMs ?? 0) * 1e6
  const shares = windows.map(({ repeat }) => {
    const alone = ALONE.flatMap((variant) => windowOf(variant, repeat) ?? [])
    return lagNs / Math.min(...alone.map(lengthOf))
  })
  return Math.max(0, ...shares)
}

const NUMBERS = ['none', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']
const inWords = (ring: string | null): string | null =>
  ring && `a ring of ${NUMBERS[ringDepth(ring)] ?? String(ringDepth(ring))}`

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
    bestRing: inWords(best),
    mainRing: inWords(main),
    deepestRing: inWords(deepest),
  }
}

const inBatches = (ahead: number): string =>
  `${NUMBERS[ahead] ?? String(ahead)} ${ahead === 1 ? 'batch' : 'batches'}`

/** The workers of verdict.md: the one that makes fewest ahead, and the one that makes most beyond it. */
function workersIn({ metrics }: Facts) {
  const workers = metrics
    .filter(({ name, variant, value }) => name === 'step-ms' && madeAhead(variant) > 0 && value !== null)
    .map(({ variant }) => variant)
    .toSorted((a, b) => madeAhead(a) - madeAhead(b))
  const worker = workers[0] ?? null
  const further = workers.slice(1).at(-1) ?? null
  return {
    worker,
    further,
    workerAhead: worker && inBatches(madeAhead(worker)),
    furtherAhead: further && inBatches(madeAhead(further)),
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
      'Each depth is a variant. It takes turns with the others, with compute alone, upload alone and serial.',
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
      ...stepsParam,
      label: 'Batches',
      help: 'Batches uploaded and computed in each repeat.',
      default: 16,
      max: 128,
    },
    choice(
      'submission',
      'Copy and compute',
      'In one submission, or in two: a staging buffer is mapped again when the submission that used it has ended.',
      { together: 'in one submission', split: 'in a submission each' },
    ),
    list(
      'loader',
      'Where batches are made',
      'None: batches are ready before the run. Each choice is a variant that decodes its batches on the host, and augments them until that takes nearly as long as computing. Then it uploads them through a ring of two, copy and compute in one submission.',
      {
        [INLINE]: 'in the loop',
        [workerVariant(1)]: 'by a worker, 1 ahead',
        [workerVariant(2)]: 'by a worker, 2 ahead',
        [workerVariant(4)]: 'by a worker, 4 ahead',
        [workerVariant(8)]: 'by a worker, 8 ahead',
      },
      { default: [] },
    ),
    kernelParam,
    { ...repeatsParam, default: 3 },
    secondsParam,
  ],
  presets: [
    { id: 'short', label: 'Short run', values: { steps: 3, repeats: 2, rings: ['1', '2'], batchMiB: 0.25 } },
    { id: 'compute-bound', label: 'Compute takes longer', values: { balance: 4 } },
    { id: 'upload-bound', label: 'Uploads take longer', values: { balance: 0.5 } },
  ],
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
    ...['2', '1', '4', '8'].map((ahead) => ({
      variant: INLINE,
      cause: 'host-late' as const,
      by: workerVariant(ahead),
      change: 'a worker makes the batches, and the loop only copies them',
      values: { loader: [INLINE, workerVariant(ahead)] },
    })),
  ],
  inWords: variantInWords,
  variants: ({ rings, loader }) => [
    ...ALONE,
    SERIAL,
    ...rings.map(ringVariant),
    // What making adds is seen against batches at hand.
    ...(loader.length > 0 && !rings.includes('2') ? [AT_HAND] : []),
    ...loader,
  ],
  program: (variant, { submission }) => {
    if (madeAhead(variant) > 0) return 'worker'
    if (!isTogether(variant)) return variant
    return `${variant === SERIAL ? 'serial' : 'ring'}${submission === 'split' ? '-split' : ''}`
  },
  names: (facts) => ({ ...ringsIn(facts), ...workersIn(facts) }),
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
    'versus-ideal': [
      'Over max(compute, upload)',
      ofWindows(ALONE, (own, alone) => own / Math.max(...alone)),
      { variants: isTogether, isFactor: true },
    ],
    'device-busy-ratio': ['Device busy', busyRatio()],
    // Over the whole window, computing included: the rate that a training loop would see.
    'upload-gb-per-s': [
      'Upload rate',
      amountOverWindow((view: WithSteps) => batchBytes(view) * steps(view)),
      { variants: isUploading },
    ],
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
      rateOf(batchBytes, { name: 'device-copy-ms' }),
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
    // 1: a step is as short as with batches at hand, 0: as long as where the loop makes them.
    'making-hidden': [
      'Making hidden by the worker',
      ofWindows(
        [INLINE, AT_HAND],
        // Where making adds nothing there is nothing to hide.
        (own, [inline = Number.NaN, atHand = Number.NaN]) =>
          inline > atHand ? (inline - own) / (inline - atHand) : Number.NaN,
      ),
      { variants: (variant) => madeAhead(variant) > 0 },
    ],
    'making-adds': [
      'Making in the loop adds to a step',
      ofWindows([AT_HAND], (own, [atHand = Number.NaN]) => own / atHand - 1),
      { variants: (variant) => variant === INLINE },
    ],
    'make-ms': [
      'Making a batch',
      medianSpan({ kind: 'host-work', role: 'compute' }),
      { variants: isMaking, note: 'by the clock of the thread that makes it' },
    ],
    'batch-wait-ms': [
      'Host waited for the worker, a step',
      sumOfSpans({ role: 'wait-batch' }, steps),
      { variants: (variant) => madeAhead(variant) > 0 },
    ],
    'making-over-step': [
      'Making a batch over a step',
      quotientOf({ name: 'make-ms' }, { name: 'step-ms' }),
      { variants: isMaking },
    ],
  },
})
