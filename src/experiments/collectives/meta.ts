/**
 * Is a ring faster? Ranks run collectives of send() and recv() through one rank, as a tree, and
 * round a ring, over sizes.
 */
import type { Facts, Names } from '../../text/facts'
import {
  ALGORITHMS,
  ALL,
  collectiveOf,
  figureOf,
  KIB,
  kibOf,
  LEAST_RANKS,
  MOST_RANKS,
  NAIVE,
  type Operation,
  OPERATIONS,
  PAIR,
  type ProgramName,
  RING,
  SIZE_LABELS,
  sizeLabel,
  variantOf,
} from './variants'
import { defineExperiment } from '../declare/experiment'
import { choice, list, number } from '../declare/params'
import { lengthOf, makespan, rankSteps } from '../declare/samplers'
import { shared } from '../shared-params'
import { figuresOfCollectives, torchCollectives } from './charts'
import type { Bounded } from '../../base/crossover'
import { median } from '../../base/stats'
import { readCounts, variantsOf } from '../evidence'
import { lineThrough } from '../declare/line'
import { NOT_NEGATIVE, type RepeatSampler, type View } from '../declare/metric'
import { boundsOf, crossoverOf, curveOf, sizeSampler } from '../declare/sizes'
import type { Evidence, Window } from '../run-types'
import { crossingFactor } from './curves'

/**
 * Reads the figures of collectives off windows: times, α and B of point-to-point messages, and
 * where naive and ring cross. Pure.
 */

interface Has {
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
const lead: RepeatSampler<Has> = {
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

const line = lineThrough<Has>({
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
const crossover = sizeSampler<Has>(({ evidence, get }) => {
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
const predicted = sizeSampler<Has>(({ values, get }) => {
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

const labelOf = (kib: number | undefined): string | null => (kib === undefined ? null : sizeLabel(kib))

function namesOf(
  { metrics, derived }: Facts,
  { operation, ranks }: { readonly operation: Operation; readonly ranks: number },
): Names {
  const sizes = metrics
    .flatMap(({ name, variant, value }) => {
      const kib = name === 'collective-ms' && value ? kibOf(RING)(variant) : null
      return kib ?? []
    })
    .toSorted((a, b) => a - b)
  const [small, large] = [sizes[0], sizes.length > 1 ? sizes.at(-1) : undefined]
  const named = (program: ProgramName, kib: number | undefined) =>
    kib === undefined ? null : variantOf(program, ranks, kib)
  return {
    chart: figureOf(operation, Number(derived['ranks'] ?? ranks)),
    operation: `${/^[aeiou]/.test(operation) ? 'an' : 'a'} ${operation}`,
    small: labelOf(small),
    large: labelOf(large),
    naivesmall: named(NAIVE, small),
    ringsmall: named(RING, small),
    naivelarge: named(NAIVE, large),
    ringlarge: named(RING, large),
    whynoworld: String(derived['whyNoWorld'] ?? '') || null,
  }
}

const of = (program: ProgramName) => ({
  variants: (variant: string) => kibOf(program)(variant) !== null,
})
const collective = {
  variants: (variant: string) => collectiveOf(variant) !== null && !of(PAIR).variants(variant),
}
const whole = { at: [''] }

export const collectives = defineExperiment({
  id: 'collectives',
  title: 'Collectives',
  question: 'From which size on is a ring worth it?',
  params: [
    choice(
      'operation',
      'Operation',
      'What the ranks do together, as MPI and torch.distributed call it.',
      OPERATIONS,
      { place: 'dial' },
    ),
    number('ranks', 'Ranks', 'Workers that take part. With more of them than cores they take turns.', {
      place: 'dial',
      default: 4,
      min: LEAST_RANKS,
      max: MOST_RANKS,
    }),
    list(
      'sizes',
      'Sizes',
      'Sizes of the buffer on each rank. The largest are left out where there is no time for them.',
      SIZE_LABELS,
      { place: 'dial', default: ['1', '4', '16', '64', '256', '1024', '4096', '16384'] },
    ),
    {
      ...shared.repeats,
      default: 7,
      help: `${shared.repeats.help} Sizes that take little time are repeated nearly twice as often, where there is time.`,
    },
    { ...shared.seconds, default: 10 },
  ],
  short: { sizes: ['1', '16', '64', '256'], repeats: 2 },
  sources: [],
  variants: ({ ranks, sizes }) =>
    ([PAIR, ...ALGORITHMS] as const).flatMap((program) => sizes.map((kib) => variantOf(program, ranks, kib))),
  all: ALL,
  names: namesOf,
  metrics: {
    'collective-ms': ['From the barrier to the last rank’s end', makespan, collective],
    lead: ['Naive took so many times as long', lead, of(RING)],
    'alpha-us': ['α: what a message costs, whatever its size', line.alpha, whole],
    'gb-per-s': ['B: rate of the bytes alone', line.rate, whole],
    'line-error-ratio': ['Farthest from the line', line.error, whole],
    'crossover-kib': ['Size from which on the ring is faster, in KiB', crossover, whole],
    'predicted-kib': ['The same, by α and B, in KiB', predicted, whole],
  },
  figures: figuresOfCollectives,
  references: torchCollectives,
})
