/**
 * When is the GPU not worth it? The same product by the CPU and by the device, with and without the
 * transfers there and back.
 */
import { curveOf } from '../declare/sizes'
import type { Facts, Names } from '../../text/facts'
import {
  ALL,
  ASKED_SIZE,
  CPU,
  PLACES,
  RESIDENT,
  ROUND_TRIP,
  sizeAt,
  sizedOf,
  SIZES,
  variantOf,
  type Place,
} from './variants'
import { defineExperiment } from '../declare/experiment'
import { list, number } from '../declare/params'
import { MATMUL, medianSpan, quotientOf } from '../declare/samplers'
import { matmulSources, shared } from '../shared-params'
import { crossover, figuresOfWorthIt } from './charts'
import { gflops, time, waiting } from './measures'

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
