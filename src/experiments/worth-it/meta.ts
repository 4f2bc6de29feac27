/** When is the GPU not worth it? The same product by the CPU and by the device, with and without the transfers there and back. */
import { curveOf } from '../declare/sizes'
import { findMetric } from '../../trace/report'
import { isBelow, type Facts, type Names } from '../../text/facts'
import {
  ALL,
  askedOf,
  CPU,
  PLACES,
  READBACK,
  RESIDENT,
  ROUND_TRIP,
  sizeAt,
  sizedOf,
  SIZES,
  UPLOAD,
  variantOf,
  type Place,
} from './variants'
import { defineExperiment } from '../declare/experiment'
import { list, number } from '../declare/params'
import { quotientOf } from '../declare/samplers'
import { matmulSources, shared } from '../shared-params'
import { figuresOfWorthIt, crossover, ruleOfThumb } from './charts'
import { alpha, bandwidth, computing, gflops, kernelShare, otherWait, time } from './measures'

function namesOf({ metrics, derived }: Facts): Names {
  /** Sizes at which a metric of a place is known, ascending. */
  const sizesWith = (name: string, place: Place): readonly number[] =>
    curveOf(metrics, name, sizeAt(place))
      .filter(({ value }) => value > 0)
      .map(({ n }) => n)
  const time = (place: Place, n: number) => findMetric(metrics, 'time-ms', variantOf(place, n))
  const isAhead = (one: Place, other: Place) => (n: number) => isBelow(time(one, n), time(other, n))
  const named = (place: Place, n: number | undefined) => (n === undefined ? null : variantOf(place, n))
  const square = (n: number | undefined) => (n === undefined ? null : `${String(n)} × ${String(n)}`)
  const text = (name: string) => String(derived[name] ?? '') || null
  const sizesIn = (name: string): readonly string[] => text(name)?.split(' ') ?? []
  const tooSlow = sizesIn('sizesLeftOut')
  const listed = (sizes: readonly string[]) => sizes.join(', ') || null

  const trips = sizesWith('time-ms', ROUND_TRIP)
  const onCpu = sizesWith('time-ms', CPU)
  const both = trips.filter((n) => onCpu.includes(n))
  const [first, last] = [both[0], both.at(-1)]
  const [cpuWins, deviceWins] = [both.find(isAhead(CPU, ROUND_TRIP)), both.find(isAhead(ROUND_TRIP, CPU))]
  const shares = sizesWith('kernel-share', ROUND_TRIP)
  const asked = askedOf(shares)
  const rates = sizesWith('gflops', RESIDENT)
  const threads = Number(derived['processorThreads'])
  return {
    cpuFirst: named(CPU, first),
    tripFirst: named(ROUND_TRIP, first),
    cpuLast: named(CPU, last),
    tripLast: named(ROUND_TRIP, last),
    first: square(first),
    last: both.length > 1 ? square(last) : null,
    largest: square(last),
    cpuWins: named(CPU, cpuWins),
    deviceWins: named(ROUND_TRIP, deviceWins),
    cpuTop: named(CPU, sizesWith('gflops', CPU).at(-1)),
    residentTop: named(RESIDENT, rates.at(-1)),
    asked: named(ROUND_TRIP, asked),
    askedSize: square(asked),
    library: text('processorLibrary'),
    threads: threads === 1 ? 'one thread' : `${String(threads)} threads`,
    poorly: text('processorNote'),
    tooSlow: listed(tooSlow),
    skipped: listed(sizesIn('sizesSkipped').filter((size) => !tooSlow.includes(size))),
  }
}

const ofSizes = { variants: (variant: string) => sizedOf(variant) !== null }
const ofTrips = { variants: (variant: string) => sizeAt(ROUND_TRIP)(variant) !== null }
const atTrips = { at: [ROUND_TRIP] }
const overRule = (rule: string) =>
  quotientOf<unknown>({ name: 'crossover-n', variant: ROUND_TRIP }, { name: rule, variant: ROUND_TRIP })

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
  variants: ({ sizes }) => [
    ...sizes
      .map(Number)
      .toSorted((a, b) => a - b)
      .flatMap((n) => PLACES.map((place) => variantOf(place, n))),
    UPLOAD,
    READBACK,
  ],
  names: namesOf,
  metrics: {
    'crossover-n': ['Size from which the device is faster', crossover, { at: [ROUND_TRIP, RESIDENT] }],
    'rule-n': ['The same, by time saved against bytes over bandwidth', ruleOfThumb('saved'), atTrips],
    'rule-latency-n': [
      'The same, with the latency of a round trip',
      ruleOfThumb('saved-with-latency'),
      atTrips,
    ],
    'rule-factor': ['Measured over the rule by time saved', overRule('rule-n'), atTrips],
    'rule-latency-factor': ['Measured over the rule with latency', overRule('rule-latency-n'), atTrips],
    'kernel-share': ['Share of a round trip that is computing', kernelShare, ofTrips],
    'kernel-ms': ['Computing, on the device', computing, ofTrips],
    'other-wait-ms': ['Awaiting it while the device does not compute', otherWait, ofTrips],
    'time-ms': ['Time of all products of an upload', time, ofSizes],
    gflops: ['Rate of an operation', gflops, ofSizes],
    'upload-gb-per-s': ['Bandwidth to the device', bandwidth, { at: [UPLOAD] }],
    'readback-gb-per-s': ['Bandwidth back', bandwidth, { at: [READBACK] }],
    'latency-ms': ['α: a round trip less its kernel', alpha, atTrips],
    'rule-compute-n': [
      'The same size, by time computed against bytes over bandwidth',
      ruleOfThumb('computed'),
      atTrips,
    ],
  },
  figures: figuresOfWorthIt,
})
