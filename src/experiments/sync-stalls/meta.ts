/** What does `.item()` cost in a step of many launches, when the host has work to do after it? */
import { busyRatio } from '../declare/device-samplers'
import { defineExperiment, remedy, type Variant } from '../declare/experiment'
import type { Facts } from '../../text/facts'
import { list, number } from '../declare/params'
import { MATMUL, ratioTo, steps, sumOfSpans, windowOver } from '../declare/samplers'
import { matmulSources, shared } from '../shared-params'
import { byId } from '../../base/lists'

/** The variants are how often the host reads. */
interface Reads extends Variant {
  /** Steps between two reads; Infinity: it never reads. */
  readonly every: number
  /** Words for a sentence: 'after every 4th step'. */
  readonly often: string
}
const reading = (id: string, every: number, often: string): Reads => ({
  id,
  program: 'read',
  words: `reading ${often}`,
  every,
  often,
})

const ALL: readonly Reads[] = [
  { id: 'never', every: Number.POSITIVE_INFINITY, often: '' },
  reading('every-step', 1, 'after every step'),
  ...[4, 16, 64].map((every) =>
    reading(`every-${String(every)}`, every, `after every ${String(every)}th step`),
  ),
]
const found = byId(ALL)
export const readsOf = (id: string): Reads => found(id) ?? reading(id, Number.NaN, '')

/** Variants that read and were measured, the most frequent first. */
const readers = ({ metrics }: Facts): readonly Reads[] =>
  metrics
    .filter(({ name, variant, value }) => name === 'step-ms' && variant !== 'never' && value !== null)
    .map(({ variant }) => readsOf(variant))
    .toSorted((a, b) => a.every - b.every)

const reads = (variant: string): boolean => variant !== 'never'

export const syncStalls = defineExperiment({
  id: 'sync-stalls',
  title: 'Host–device sync stalls',
  question: 'What does a .item() in every step cost?',
  params: [
    number(
      'hostMs',
      'Host work after the read',
      'How long the host works before it launches the next step: the next batch, the log, Python itself.',
      { place: 'dial', default: 2, min: 0.05, max: 50, integer: false, unit: 'ms', scale: 'log2' },
    ),
    { ...shared.kernelMs, label: 'Time of one kernel', default: 0.05, min: 0.01 },
    number('kernels', 'Kernels a step', 'How many matmuls each step launches, one after another.', {
      default: 40,
      min: 1,
      max: 256,
      scale: 'log2',
    }),
    list(
      'every',
      'How often',
      'Each is a variant; they take turns.',
      {
        never: 'never',
        'every-64': 'every 64th step',
        'every-16': 'every 16th step',
        'every-4': 'every 4th step',
        'every-step': 'every step',
      },
      { default: ['never', 'every-4', 'every-step'] },
    ),
    { ...shared.steps, help: 'Steps in each repeat, each in a submission of its own.' },
    shared.kernel,
    shared.matrixSize,
    shared.repeats,
    shared.seconds,
  ],
  short: { steps: 6, repeats: 2, kernels: 4, kernelMs: 0.5, every: ['never', 'every-step'] },
  sources: matmulSources,
  all: ALL,
  remedies: ALL.slice(1).map(({ id: variant }) => ({
    ...remedy(variant, 'host-waited', 'never', 'nothing is read back until all steps have been submitted', {
      every: ['never', variant],
    }),
    exposes: true,
  })),
  variants: ({ every }) => every,
  names: (facts) => {
    const [often, seldom] = readers(facts)
    return {
      often: often?.id ?? null,
      seldom: seldom?.id ?? null,
      oftenWords: often?.often ?? null,
      seldomWords: seldom?.often ?? null,
    }
  },
  metrics: {
    'device-busy-ratio': ['Device busy', busyRatio()],
    'step-ms': ['Time of a step', windowOver(steps)],
    slowdown: ['Times as long as without reading', ratioTo('never'), { variants: reads }],
    'host-ms': ['Host works, a step', sumOfSpans({ kind: 'host-work' }, steps)],
    'device-ms': ['Device computes, a step', sumOfSpans(MATMUL, steps)],
    'stall-ms': [
      'Host waits for the number, a step',
      sumOfSpans({ role: 'wait-map' }, steps),
      { variants: reads },
    ],
  },
})
