/**
 * Reads the figures of collectives off windows: times, α and B of point-to-point messages, and
 * where naive and ring cross. Pure.
 */
import type { Bounded } from '../../base/crossover'
import { median } from '../../base/stats'
import { readCounts, variantsOf } from '../evidence'
import { lineThrough } from '../declare/line'
import { NOT_NEGATIVE, type RepeatSampler, type View } from '../declare/metric'
import { lengthOf, rankSteps } from '../declare/samplers'
import { boundsOf, crossoverOf, curveOf, sizeSampler } from '../declare/sizes'
import type { Evidence, Window } from '../run-types'
import { crossingFactor } from './curves'
import {
  collectiveOf,
  KIB,
  kibOf,
  NAIVE,
  PAIR,
  RING,
  variantOf,
  type Operation,
  type ProgramName,
} from './variants'

export interface Has {
  readonly operation: Operation
  readonly ranks: number
}
type OwnView = View<Has>

const bytesOf = (variant: string): number => (collectiveOf(variant)?.kib ?? 0) * KIB
const tripsIn = ({ derived }: Evidence, variant: string): number =>
  readCounts(derived['trips']).get(String(collectiveOf(variant)?.kib)) ?? 1

const messageNs = ({ evidence }: OwnView, window: Window): number =>
  lengthOf(window) / (2 * tripsIn(evidence, window.variant))
/** The variant through rank 0 with as many bytes. */
const naiveAt = ({ variant, values }: OwnView): string =>
  variantOf(NAIVE, values.ranks, collectiveOf(variant)?.kib ?? 0)

/** Naive's window over the ring's in the same repeat. */
export const lead: RepeatSampler<Has> = {
  quantity: 'ratio',
  range: NOT_NEGATIVE,
  isFactor: true,
  sample: (view, window) => {
    const naive = view.windowOf(naiveAt(view), window.repeat)
    return naive ? lengthOf(naive) / lengthOf(window) : null
  },
  systematic: (view) => {
    const { windows } = view.evidence
    const naive = median(windows.filter(({ variant }) => variant === naiveAt(view)).map(lengthOf))
    const own = median(view.windows.map(lengthOf))
    return (naive / own) * rankSteps(view.evidence) * (1 / own + 1 / naive)
  },
  missing: () => `${NAIVE} was not run at this size`,
}

export const line = lineThrough<Has>({
  variants: ({ evidence }) =>
    variantsOf(evidence)
      .filter((variant) => kibOf(PAIR)(variant) !== null)
      .toSorted((a, b) => bytesOf(a) - bytesOf(b)),
  bytes: bytesOf,
  timeNs: messageNs,
  // A message's end is seen by the rank that it reaches.
  periodNs: () => 0,
  // Bytes in a core's cache go at some times the rate of others, so no line is nearer. The farthest
  // is told with α and B.
  mostError: 1,
})

/** KiB from which on the ring is faster than naive at every size that was run. */
export const crossover = sizeSampler<Has>(({ evidence, get }) => {
  const times = variantsOf(evidence).flatMap((variant) => get('collective-ms', variant) ?? [])
  const curveAt = (program: ProgramName) => curveOf(times, 'collective-ms', kibOf(program))
  return crossoverOf(times, curveAt(NAIVE), curveAt(RING), {
    incumbent: 'naive',
    challenger: 'the ring',
    unit: ' KiB',
    largest: '',
  })
})

/** The model predicts the time by α and B of point-to-point messages. */
export const predicted = sizeSampler<Has>(({ values, get }) => {
  const none = (note: string) => ({ size: null, n: 0, note })
  const factor = crossingFactor(values.operation, values.ranks)
  if (factor === 0) return none('by the model the ring is faster at every size')
  if (!Number.isFinite(factor)) return none('by the model the ring is faster at no size')
  const [alpha, rate] = [get('alpha-us'), get('gb-per-s')]
  const [us, gbPerS] = [boundsOf(alpha), boundsOf(rate)]
  if (!us || !gbPerS) return none(alpha?.note ?? 'α and B were not measured')
  // µs · GB/s are 1000 bytes.
  const at = (edge: keyof Bounded) => (factor * us[edge] * gbPerS[edge] * 1e3) / KIB
  return { size: { value: at('value'), low: at('low'), high: at('high') }, n: alpha?.n ?? 0, note: '' }
})
