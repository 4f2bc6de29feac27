/**
 * When is the GPU not worth it? The same product by the CPU and by the device, with and without the
 * transfers there and back.
 */
import { crossoverOf, curveOf, pointsOf, sizeSampler, thresholdsOf } from '../declare/sizes'
import type { Facts, Names } from '../../text/facts'
import {
  ALL,
  ASKED_SIZE,
  CPU,
  type Place,
  PLACES,
  RESIDENT,
  ROUND_TRIP,
  sizeAt,
  sizedOf,
  SIZES,
  variantOf,
} from './variants'
import { defineExperiment } from '../declare/experiment'
import { list, number } from '../declare/params'
import { MATMUL, medianSpan, quotientOf, rateOf, sumOfSpans, windowOver } from '../declare/samplers'
import { matmulSources, shared } from '../shared-params'
import type { Metric } from '../../trace/report'
import { readCounts, variantsOf } from '../evidence'
import type { Figure, FigureHue, FigureSeries } from '../../trace/figure'
import type { Evidence } from '../run-types'
import type { RepeatSampler, View } from '../declare/metric'

/** Reads the figures of worth-it off windows and spans. An operation is `uses` matmuls. Pure. */

/** Operations in one window. */
const operations = ({ evidence, variant }: View<unknown>): number =>
  readCounts(evidence.derived['operationsPerWindow']).get(variant) ?? 1
const isAt = (place: Place, { variant }: View<unknown>): boolean => sizeAt(place)(variant) !== null

/**
 * Time of one operation. Completion of a resident queue is reported late, once a window. The device
 * had ended before, so the interval reaches down by that share.
 */
const time: RepeatSampler<unknown> = {
  ...windowOver(operations),
  amend: ({ low }, view) =>
    isAt(RESIDENT, view) && low !== null
      ? {
          low: Math.max(0, low - (view.evidence.completionLatencyMs ?? 0) / operations(view)),
          note: 'queued; completion is reported late once a window, which the interval allows for',
        }
      : {},
}

/** The program awaits each product. */
const waiting = sumOfSpans<unknown>({ role: 'wait-map' }, operations)

const flopsOf = ({ variant, values }: View<{ readonly uses: number }>): number =>
  2 * (sizedOf(variant)?.n ?? 0) ** 3 * values.uses

const gflops = rateOf(flopsOf, { name: 'time-ms' })

/** Time against size, where the crossing of two lines is the answer. Pure. */

/** Size from which on the round trip is faster than the CPU. */
const crossover = sizeSampler<unknown>(({ evidence, get }) => {
  const times = variantsOf(evidence).flatMap((variant) => get('time-ms', variant) ?? [])
  const curveAt = (place: Place) => curveOf(times, 'time-ms', sizeAt(place))
  return crossoverOf(times, curveAt(CPU), curveAt(ROUND_TRIP), {
    incumbent: 'the CPU',
    challenger: 'the device',
    unit: '',
    largest: ' both ways',
  })
})

const LINES: readonly { readonly id: Place; readonly label: string; readonly hue: FigureHue }[] = [
  { id: CPU, label: 'CPU', hue: 'variant-2' },
  { id: ROUND_TRIP, label: 'device, there and back', hue: 'variant-3' },
  { id: RESIDENT, label: 'device, data stays there', hue: 'variant-1' },
]

/** A product is done `uses` times for each upload. */
function figuresOfWorthIt(
  metrics: readonly Metric[],
  { params }: Pick<Evidence, 'params'>,
): readonly Figure[] {
  const series = LINES.flatMap((line): readonly FigureSeries[] => {
    const points = pointsOf(metrics, 'time-ms', sizeAt(line.id))
    return points.length > 0 ? [{ ...line, marks: 'points-and-line', points }] : []
  })
  if (series.length === 0) return []
  const uses = Number(params['uses'])
  const products = `${String(uses)} products`
  const reading =
    'Where the line of the round trip falls below that of the CPU, the device is worth the transfers.'
  return [
    {
      id: 'time-by-size',
      title: 'Time by size',
      caption: uses === 1 ? reading : `Each time holds ${products} of one upload. ${reading}`,
      x: { label: 'size n, for matrices n × n', unit: '', scale: 'log2' },
      y: { label: `time of ${uses === 1 ? 'a product' : products}`, unit: 'ms', scale: 'log10' },
      series,
      thresholds: thresholdsOf(metrics, [['crossover-n', ROUND_TRIP, 'measured crossover']]),
    },
  ]
}

function namesOf({ metrics, derived }: Facts): Names {
  /** Sizes at which a metric of a place is known, ascending. */
  const sizesWith = (name: string, place: Place): readonly number[] =>
    curveOf(metrics, name, sizeAt(place))
      .filter(({ value }) => value > 0)
      .map(({ n }) => n)
  const named = (place: Place, n: number | undefined) => (n === undefined ? null : variantOf(place, n))
  const square = (n: number | undefined) => (n === undefined ? null : `${String(n)} × ${String(n)}`)
  const text = (name: string) => String(derived[name] ?? '') || null

  const onCpu = sizesWith('time-ms', CPU)
  const both = sizesWith('time-ms', ROUND_TRIP).filter((n) => onCpu.includes(n))
  const [first, last] = [both[0], both.at(-1)]
  const shares = sizesWith('kernel-share', ROUND_TRIP)
  const asked = shares.find((n) => n >= ASKED_SIZE) ?? shares.at(-1)
  const threads = Number(derived['processorThreads'])
  return {
    cpuFirst: named(CPU, first),
    tripFirst: named(ROUND_TRIP, first),
    cpuLast: named(CPU, last),
    tripLast: named(ROUND_TRIP, last),
    first: square(first),
    last: both.length > 1 ? square(last) : null,
    largest: square(last),
    cpuTop: named(CPU, sizesWith('gflops', CPU).at(-1)),
    residentTop: named(RESIDENT, sizesWith('gflops', RESIDENT).at(-1)),
    asked: named(ROUND_TRIP, asked),
    askedSize: square(asked),
    library: text('processorLibrary'),
    threads: threads === 1 ? 'one thread' : `${String(threads)} threads`,
    poorly: text('processorNote'),
    leftOut: text('sizesLeftOut')?.replaceAll(' ', ', ') ?? null,
  }
}

const ofSizes = { variants: (variant: string) => sizedOf(variant) !== null }
const ofTrips = { variants: (variant: string) => sizeAt(ROUND_TRIP)(variant) !== null }
export const worthIt = defineExperiment({
  id: 'worth-it',
  title: 'CPU against GPU',
  question: 'When is the GPU not worth it?',
  params: [
    number(
      'uses',
      'Matmuls on each upload',
      'How many times the matrices are multiplied after each upload. The CPU does as many.',
      { place: 'dial', default: 1, min: 1, max: 64, unit: '×', scale: 'log2' },
    ),
    list(
      'sizes',
      'Sizes n, for matrices n × n',
      'Each is run in three ways. A size that would take too long here is left out, and named.',
      SIZES,
      { default: ['32', '64', '128', '192', '256', '384', '512', '768', '1024', '1536', '2048'] },
    ),
    { ...shared.kernel, help: 'Which WGSL kernel multiplies on the device.' },
    shared.repeats,
    {
      ...shared.seconds,
      help: 'About how long all measured windows together may take. Where this browser reports completion late, fewer repeats and sizes fit.',
    },
  ],
  short: { sizes: ['32', '128', '256'], repeats: 2 },
  sources: matmulSources,
  all: ALL,
  variants: ({ sizes }) =>
    sizes
      .map(Number)
      .toSorted((a, b) => a - b)
      .flatMap((n) => PLACES.map((place) => variantOf(place, n))),
  names: namesOf,
  metrics: {
    'crossover-n': ['Size from which the device is faster', crossover, { at: [ROUND_TRIP] }],
    'kernel-share': [
      'Share of a round trip that is computing',
      quotientOf({ name: 'kernel-ms' }, { name: 'time-ms' }),
      ofTrips,
    ],
    // All matmuls of an operation are one pass.
    'kernel-ms': ['Computing, on the device', medianSpan(MATMUL), ofTrips],
    'wait-ms': ['Host waited for the product', waiting, ofTrips],
    'time-ms': ['Time of all products of an upload', time, ofSizes],
    gflops: ['Rate of an operation', gflops, ofSizes],
  },
  figures: figuresOfWorthIt,
})
