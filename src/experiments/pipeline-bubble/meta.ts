/**
 * What does a pipeline leave idle? Stages on ranks, a batch that goes through them in
 * micro-batches, by GPipe and by 1F1B.
 */
import { SHARE, type DerivedSampler, type RepeatSampler, type View } from '../declare/metric'
import { lengthOf, makespan, rankSteps, worked } from '../declare/samplers'
import { sum } from '../evidence'
import { exactly, quotient } from '../../text/interval-arithmetic'
import {
  ALL,
  bubbleOf,
  counted,
  GPIPE,
  keptKey,
  layersOf,
  LEAST_RANKS,
  MICRO_BATCHES,
  MOST_RANKS,
  ONE_F_ONE_B,
  scheduledOf,
  SCHEDULES,
  SPLITS,
  variantOf,
  type Split,
} from './variants'
import type { Facts, Names } from '../../text/facts'
import { defineExperiment } from '../declare/experiment'
import { choice, list, number } from '../declare/params'
import { shared } from '../shared-params'

interface Has {
  readonly ranks: number
  readonly stages: Split
}

/**
 * Ranks, and this page’s own threads besides: with fewer cores ranks share one, and while one waits
 * another computes.
 */
const coresFor = (ranks: number): number => ranks + 1
const isCrowded = ({ evidence, values }: View<Has>): boolean =>
  Number(evidence.derived['cores'] ?? Infinity) < coresFor(values.ranks)

/** The share of the window that all ranks spend neither forward nor backward. */
const bubble: RepeatSampler<Has> = {
  quantity: 'ratio',
  range: SHARE,
  sample: (view, window) => {
    const busy = view.spans.lengths(window.repeat, { kind: 'host-work' })
    if (isCrowded(view) || busy.length === 0) return null
    return 1 - sum(busy) / (view.values.ranks * lengthOf(window))
  },
  systematic: ({ evidence, windows }) =>
    rankSteps(evidence) / Math.max(1, Math.min(...windows.map(lengthOf))),
  missing: () => 'the ranks share too few cores',
}

const predicted = worked<Has>(
  'ratio',
  ({ variant, values: { stages, ranks } }) => {
    const { schedule = GPIPE, microBatches = 1 } = scheduledOf(variant) ?? {}
    return bubbleOf(schedule, layersOf(stages, ranks), microBatches)
  },
  'by the model: messages cost nothing, and a stage takes as long as it has layers',
)

/** The count of the rank that keeps most. */
const kept: DerivedSampler<Has> = {
  quantity: 'count',
  derive: ({ evidence, variant }, named) => {
    const told = evidence.derived[keptKey(variant)]
    if (typeof told !== 'string') return quotient(named, undefined, undefined)
    return exactly(
      named,
      Math.max(...told.split(' ').map(Number)),
      'counted by the ranks: gone forward and not yet back; most of all repeats',
    )
  },
}

function namesOf({ metrics, derived }: Facts, { ranks }: { readonly ranks: number }): Names {
  const steps = metrics
    .flatMap(({ name, variant, value }) => {
      const parsed = name === 'step-ms' && value !== null ? scheduledOf(variant) : null
      return parsed && value !== null ? [{ ...parsed, value }] : []
    })
    .toSorted((a, b) => a.microBatches - b.microBatches)
  const [few, many] = [steps[0]?.microBatches, steps.at(-1)?.microBatches]
  const isRange = few !== undefined && many !== undefined && few < many
  const named = (schedule: typeof GPIPE | typeof ONE_F_ONE_B, count: number | undefined) =>
    isRange && count !== undefined ? variantOf(schedule, count) : null
  const best = steps
    .filter(({ schedule }) => schedule === ONE_F_ONE_B)
    .toSorted((a, b) => a.value - b.value)[0]?.microBatches
  return {
    few: isRange ? counted(few) : null,
    many: isRange ? counted(many) : null,
    best: isRange && best !== undefined ? counted(best) : null,
    gpipefew: named(GPIPE, few),
    gpipemany: named(GPIPE, many),
    onemany: named(ONE_F_ONE_B, many),
    onebest: named(ONE_F_ONE_B, best),
    needed: String(coresFor(ranks)),
    whynoranks: String(derived['noRanks'] ?? '') || null,
  }
}

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
  short: { ranks: 2, microBatches: ['1', '2', '8'], stageMs: 10, repeats: 2 },
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
  },
})
