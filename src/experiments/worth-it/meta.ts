/** When is the GPU not worth it? The same product by the CPU and by the device, with and without the transfers there and back. */
import { defineExperiment } from '../declare/experiment'
import { list, number } from '../declare/params'
import { quotientOf } from '../declare/samplers'
import { matmulSources, shared } from '../shared-params'
import { crossover, ruleOfThumb } from './curves'
import { blankWorthIt, figuresOfWorthIt } from './figure'
import { alpha, bandwidth, computing, gflops, kernelShare, otherWait, perOperation, time } from './measures'
import { namesOf } from './names'
import {
  ALL,
  PLACES,
  READBACK,
  RESIDENT,
  ROUND_TRIP,
  SIZES,
  sizeAt,
  sizedOf,
  variantOf,
  UPLOAD,
} from './variants'

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
  presets: [
    { id: 'short', label: 'Short run', values: { sizes: ['32', '128', '256'], repeats: 2 } },
    { id: 'reuse', label: 'Sixteen matmuls on each upload', values: { uses: 16 } },
    { id: 'large', label: 'Large matrices', values: { sizes: SIZES.slice(-6) } },
  ],
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
    'fill-ms': ['Host filling staging buffers', perOperation('fill'), ofTrips],
    'wait-ms': ['Host awaiting the result', perOperation('wait-map'), ofTrips],
    'other-wait-ms': ['Awaiting it while the device does not compute', otherWait, ofTrips],
    'read-ms': ['Host copying the result out', perOperation('read'), ofTrips],
    'time-ms': ['Time of an operation', time, ofSizes],
    gflops: ['Rate of an operation', gflops, ofSizes],
    'upload-gb-per-s': ['Bandwidth to the device', bandwidth, { at: [UPLOAD] }],
    'readback-gb-per-s': ['Bandwidth back', bandwidth, { at: [READBACK] }],
    'latency-ms': ['α: a round trip less its kernel', alpha, atTrips],
    'rule-compute-n': [
      'The same size, by time computed against bytes over bandwidth',
      ruleOfThumb('computed'),
      atTrips,
    ],
    'rule-compute-factor': ['Measured over the rule by time computed', overRule('rule-compute-n'), atTrips],
  },
  figures: figuresOfWorthIt,
  blanks: ({ uses, sizes }) => blankWorthIt(uses, sizes),
})
