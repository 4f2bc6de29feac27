/** What does a pipeline leave idle? Stages on ranks, a batch that goes through them in micro-batches, by GPipe and by 1F1B. */
import { defineExperiment } from '../declare/experiment'
import { choice, list, number } from '../declare/params'
import { makespan } from '../declare/samplers'
import { shared } from '../shared-params'
import { namesOf } from './names'
import { bubble, kept, keptBytes, predicted } from './samplers'
import { ALL, LEAST_RANKS, MICRO_BATCHES, MOST_RANKS, SCHEDULES, SPLITS, variantOf } from './variants'

export const pipelineBubble = defineExperiment({
  id: 'pipeline-bubble',
  title: 'Pipeline bubble',
  question: 'For how much of a step does a pipeline wait?',
  params: [
    number('ranks', 'Ranks', 'Stages of the pipeline: workers, each with layers of one model.', {
      place: 'dial',
      default: 4,
      min: LEAST_RANKS,
      max: MOST_RANKS,
    }),
    list(
      'microBatches',
      'Micro-batches',
      'Into how many parts the batch is cut. The batch stays as large.',
      MICRO_BATCHES,
      { place: 'dial', default: MICRO_BATCHES },
    ),
    choice('stages', 'Stages', 'How the layers are shared out. There are as many in all.', SPLITS, {
      place: 'dial',
    }),
    number(
      'stageMs',
      'Time of a stage',
      'The layers are sized by the measured rate of this CPU, so that one stage takes about this long for the whole batch, forward and backward.',
      { default: 40, min: 1, max: 200, unit: 'ms', scale: 'log2' },
    ),
    { ...shared.repeats, default: 7 },
    { ...shared.seconds, default: 10 },
  ],
  presets: [
    {
      id: 'short',
      label: 'Short run',
      values: { ranks: 2, microBatches: ['1', '2', '8'], stageMs: 10, repeats: 2 },
    },
    { id: 'two-ranks', label: 'Two ranks', values: { ranks: 2 } },
    { id: 'uneven', label: 'Uneven stages', values: { stages: 'uneven' } },
  ],
  sources: [],
  all: ALL,
  variants: ({ microBatches }) =>
    microBatches.flatMap((count) => SCHEDULES.map((schedule) => variantOf(schedule, count))),
  names: namesOf,
  metrics: {
    'step-ms': ['From the barrier to the last rank’s end', makespan],
    'bubble-ratio': ['Ranks waited', bubble],
    'predicted-ratio': ['Ranks wait, by the count of slots', predicted],
    kept: ['Micro-batches that a rank kept, at most', kept],
    'kept-bytes': ['Activations that a rank kept, at most', keptBytes],
  },
})
