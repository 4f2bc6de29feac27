/**
 * Making a batch takes longer than computing on it: in the loop, by one worker, by several, and
 * with a larger reserve.
 */
import { busyRatio } from '../declare/device-samplers'
import { defineExperiment, type Variant } from '../declare/experiment'
import { choice, list, number } from '../declare/params'
import {
  overSpans,
  quotientOf,
  ratioTo,
  steps,
  sumOfSpans,
  timesAsFast,
  windowOver,
} from '../declare/samplers'
import { matmulSources, shared } from '../shared-params'
import type { Facts } from '../../text/facts'
import { byId } from '../../base/lists'

/** Batches that are ready before the run: no other variant can be faster. */
export const AT_HAND = 'at-hand'
const workersVariant = (workers: number | string): string => `workers-${String(workers)}`
const ONE_WORKER = workersVariant(1)
const aheadVariant = (ahead: number | string): string => `ahead-${String(ahead)}`
/** A larger reserve is compared with this one. */
const LEAST_AHEAD = aheadVariant(1)

/** Batches that each worker has ahead: PyTorch's default of `prefetch_factor`. */
const PREFETCH = 2

const WORKERS = ['0', '1', '2', '4', '8', '16'] as const
const AHEAD = ['1', '2', '4', '8'] as const

interface Makers extends Variant {
  /** 0: the loop makes its batches. */
  readonly workers: number
  /** Batches ahead, of all workers together. */
  readonly ahead: number
}

const many = (count: number, one: string, several: string): string =>
  `${String(count)} ${count === 1 ? one : several}`
const BY_WORKERS: readonly Makers[] = WORKERS.map(Number).map((workers) => ({
  id: workersVariant(workers),
  program: workers > 0 ? 'workers' : 'inline',
  words: workers === 0 ? 'batches made in the loop' : many(workers, 'worker', 'workers'),
  workers,
  ahead: workers * PREFETCH,
}))
const BY_RESERVE: readonly Makers[] = AHEAD.map(Number).map((ahead) => ({
  id: aheadVariant(ahead),
  program: 'workers',
  words: many(ahead, 'batch ahead', 'batches ahead'),
  workers: 1,
  ahead,
}))
const ALL = [...BY_WORKERS, ...BY_RESERVE]
/** Null: the variant has its batches at hand. */
export const makersOf = byId(ALL)
export const hasWorkers = (variant: string): boolean => (makersOf(variant)?.workers ?? 0) > 0

/** Those that are compared with one worker, and with one batch ahead. */
const SEVERAL = BY_WORKERS.filter(({ workers }) => workers > 1)
const DEEPER = BY_RESERVE.filter(({ ahead }) => ahead > 1)
const among = (all: readonly Makers[]) => ({
  variants: (variant: string) => all.some(({ id }) => id === variant),
})

/** The variants of verdict.md: the one with most workers, and the one with the largest reserve. */
function mostIn({ metrics }: Facts) {
  const isMeasured = ({ id }: Makers) =>
    metrics.some(({ name, variant, value }) => name === 'step-ms' && variant === id && value !== null)
  const [most, deep] = [SEVERAL.findLast(isMeasured), DEEPER.findLast(isMeasured)]
  return {
    most: most?.id ?? null,
    deep: deep?.id ?? null,
    mostWorkers: most?.words ?? null,
    deepBatches: deep?.words ?? null,
  }
}

const MAKING = { kind: 'host-work', role: 'compute' } as const
const isMade = { variants: (variant: string) => makersOf(variant) !== null }

export const starvedByTheLoader = defineExperiment({
  id: 'starved-by-the-loader',
  title: 'Starved by the loader',
  question: 'How many workers keep the device busy?',
  params: [
    list(
      'workers',
      'Workers that make batches',
      'Each number is a variant. 0: the loop makes its own batches. Each worker has two batches ahead.',
      WORKERS,
      { place: 'dial', default: ['0', '1', '2', '4'] },
    ),
    number(
      'making',
      'Making a batch over computing on it',
      'Batches are sized so that making one takes one thread this many times as long as the matmul on the device. At most 4 MiB each.',
      { place: 'dial', default: 2, min: 0.25, max: 8, integer: false, unit: '×', scale: 'log2' },
    ),
    choice(
      'batches',
      'Batches',
      'Each takes as long to make as the others, or one in 16 takes about 30 times as long.',
      { even: 'each as long as the others', uneven: 'one in 16 takes long' },
    ),
    list(
      'ahead',
      'Batches ahead of one worker',
      'Each number is a variant in which one worker makes the batches, at most so many ahead of the loop. One ahead is always among them.',
      AHEAD,
      { default: [] },
    ),
    { ...shared.kernelMs, default: 4, place: 'more' },
    shared.kernel,
    {
      ...shared.steps,
      label: 'Batches',
      help: 'Batches made and computed on in each repeat.',
      default: 32,
      max: 128,
    },
    { ...shared.repeats, default: 3 },
    shared.seconds,
  ],
  short: { steps: 6, repeats: 2, kernelMs: 1, workers: ['0', '1', '2'] },
  sources: [...matmulSources, 'shaders/data/gather.wgsl'],
  all: ALL,
  variants: ({ workers, ahead }) => [
    AT_HAND,
    ...workers.map(workersVariant),
    ...(ahead.length > 0 ? ['1', ...ahead.filter((each) => each !== '1')].map(aheadVariant) : []),
  ],
  names: mostIn,
  metrics: {
    'device-busy-ratio': ['Device busy', busyRatio()],
    'step-ms': ['Time of a step', windowOver(steps)],
    slowdown: ['Over a step with batches at hand', ratioTo(AT_HAND), isMade],
    speedup: ['Times as fast as with one worker', timesAsFast(ONE_WORKER), among(SEVERAL)],
    'reserve-gain': ['Times as fast as with one batch ahead', timesAsFast(LEAST_AHEAD), among(DEEPER)],
    'make-ms': [
      'Making a batch, mean',
      sumOfSpans(MAKING, steps),
      { ...isMade, note: 'by the clock of the thread that makes it' },
    ],
    'making-load': [
      'Making a batch over a step with batches at hand',
      quotientOf({ name: 'make-ms' }, { name: 'step-ms', variant: AT_HAND }),
      { ...isMade, isFactor: true, note: 'so many workers are needed, where each has a core' },
    ],
    pace: [
      'A step over the making of its batch',
      overSpans(MAKING),
      { ...among(BY_RESERVE), note: 'no reserve makes a step shorter than that' },
    ],
  },
})
