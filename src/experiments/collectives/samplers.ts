/** How the figures of collectives are read off windows: times, α and B of point-to-point messages, and where naive and ring cross. Pure. */
import type { Bounded } from '../../base/crossover'
import { median } from '../../base/stats'
import { readCounts } from '../declare/counts'
import { lineThrough } from '../declare/line'
import { NOT_NEGATIVE, SHARE, type RepeatSampler, type View } from '../declare/metric'
import { lengthOf, makespan, rankSteps } from '../declare/samplers'
import { boundsOf, crossoverOf, curveOf, sizeSampler } from '../declare/sizes'
import { variantsOf } from '../evidence'
import type { Evidence, Window } from '../run-types'
import { busFactor, crossingFactor } from './curves'
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
/** Half of a round trip between two ranks. */
export const message: RepeatSampler<Has> = {
  ...makespan,
  sample: messageNs,
  systematic: ({ evidence, variant }) => rankSteps(evidence) / (2 * tripsIn(evidence, variant)),
}

/** Bytes over time, brought to the bytes that a link carries. */
export const busBytes = ({ variant, values: { operation, ranks } }: OwnView): number =>
  bytesOf(variant) * busFactor(operation, ranks)

/** The variant of another program at the same size, in the same repeat. */
const beside = (
  program: ProgramName,
  value: (own: number, other: number) => number,
): Pick<RepeatSampler<Has>, 'sample' | 'systematic' | 'missing'> => ({
  sample: (view, window) => {
    const kib = collectiveOf(view.variant)?.kib ?? 0
    const other = view.windowOf(variantOf(program, view.values.ranks, kib), window.repeat)
    return other ? value(lengthOf(window), lengthOf(other)) : null
  },
  systematic: (view) => {
    const kib = collectiveOf(view.variant)?.kib ?? 0
    const lengthsOf = (name: string) =>
      view.evidence.windows.filter(({ variant }) => variant === name).map(lengthOf)
    const own = median(lengthsOf(view.variant))
    const other = median(lengthsOf(variantOf(program, view.values.ranks, kib)))
    return Math.abs(value(own, other)) * (rankSteps(view.evidence) / own + rankSteps(view.evidence) / other)
  },
  missing: () => `${program} was not run at this size`,
})

/** How many times as long as the ring's naive's window took. */
export const lead: RepeatSampler<Has> = {
  quantity: 'ratio',
  range: NOT_NEGATIVE,
  isFactor: true,
  ...beside(NAIVE, (own, other) => other / own),
}

/** Of the window with tensors on the GPU, what the ring alone does not take. */
export const wayShare: RepeatSampler<Has> = {
  quantity: 'ratio',
  range: SHARE,
  ...beside(RING, (own, other) => Math.max(0, 1 - other / own)),
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
  // What stays in a core's cache goes at some times the rate of what does not: no line is nearer. The farthest is told with α and B.
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

/** The same, by the model with α and B of point-to-point messages. */
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
