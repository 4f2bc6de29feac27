/** The idle share of ranks, and what they keep for the way back. Pure. */
import { NOT_RECORDED } from '../declare/device-samplers'
import { SHARE, type DerivedSampler, type RepeatSampler, type View } from '../declare/metric'
import { lengthOf, rankSteps, worked } from '../declare/samplers'
import { sum } from '../evidence'
import { exactly, quotient } from '../../text/interval-arithmetic'
import { bubbleOf, bytesKey, GPIPE, keptKey, layersOf, scheduledOf, type Split } from './variants'

export interface Has {
  readonly ranks: number
  readonly stages: Split
}

/** Ranks, and this page’s own threads besides: with fewer cores ranks share one, and while one waits another computes. */
export const coresFor = (ranks: number): number => ranks + 1
const isCrowded = ({ evidence, values }: View<Has>): boolean =>
  Number(evidence.derived['cores'] ?? Infinity) < coresFor(values.ranks)

/** Of the window, on all ranks: what is neither forward nor backward. */
export const bubble: RepeatSampler<Has> = {
  kind: 'repeats',
  quantity: 'ratio',
  origin: 'host-clock',
  range: SHARE,
  sample: (view, window) => {
    const busy = view.spans.lengths(window.repeat, { kind: 'host-work' })
    if (isCrowded(view) || busy.length === 0) return null
    return 1 - sum(busy) / (view.values.ranks * lengthOf(window))
  },
  systematic: ({ evidence, windows }) =>
    rankSteps(evidence) / Math.max(1, Math.min(...windows.map(lengthOf))),
  missing: (view) => (isCrowded(view) ? 'the ranks share too few cores' : NOT_RECORDED),
}

export const predicted = worked<Has>(
  'ratio',
  ({ variant, values: { stages, ranks } }) => {
    const { schedule = GPIPE, microBatches = 1 } = scheduledOf(variant) ?? {}
    return bubbleOf(schedule, layersOf(stages, ranks), microBatches)
  },
  'by the model: messages cost nothing, and a stage takes as long as it has layers',
)

/** Of the rank that keeps most. */
const most = (keyOf: (variant: string) => string): DerivedSampler<Has> => ({
  kind: 'derived',
  quantity: 'count',
  origin: 'derived',
  derive: ({ evidence, variant }, named) => {
    const told = evidence.derived[keyOf(variant)]
    if (typeof told !== 'string') return quotient(named, undefined, undefined)
    return exactly(
      named,
      Math.max(...told.split(' ').map(Number)),
      'counted by the ranks: gone forward and not yet back; most of all repeats',
    )
  },
})
export const kept = most(keptKey)
export const keptBytes = most(bytesKey)
