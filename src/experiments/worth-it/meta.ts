/** When is the GPU not worth it? The same product by the CPU and by the device, with and without the transfers there and back. */
import { defineExperiment } from '../declare/experiment'
import { NOT_NEGATIVE, SHARE } from '../declare/metric'
import { quotientOf, windowOver } from '../declare/samplers'
import { matmulSources, namedKernelParam, repeatsParam, secondsParam } from '../shared-params'
import { crossover, ruleOfThumb } from './curves'
import { figuresOfWorthIt } from './figure'
import {
  bandwidth,
  besideMatmuls,
  gflops,
  matmuls,
  operations,
  perOperation,
  shareOfMatmuls,
  time,
} from './measures'
import { namesOf, worthItRules } from './rules'
import {
  LATENCY,
  parseVariant,
  PLACES,
  READBACK,
  RESIDENT,
  ROUND_TRIP,
  sizedVariant,
  UPLOAD,
} from './variants'

const SIZES = [
  ...['16', '24', '32', '48', '64', '96', '128', '192'],
  ...['256', '384', '512', '768', '1024', '1536', '2048', '3072'],
] as const
const isTrip = (variant: string): boolean => parseVariant(variant)?.place === ROUND_TRIP
const isSized = (variant: string): boolean => parseVariant(variant) !== null
const overRule = (rule: string) =>
  quotientOf<unknown>({ name: 'crossover-n', variant: ROUND_TRIP }, { name: rule, variant: ROUND_TRIP })

export const worthIt = defineExperiment({
  id: 'worth-it',
  title: 'CPU against GPU',
  question: 'When is the GPU not worth it?',
  params: [
    {
      type: 'number',
      name: 'uses',
      label: 'Matmuls on each upload',
      help: 'How often the matrices are multiplied once they are there; the CPU does as many.',
      place: 'dial',
      default: 1,
      min: 1,
      max: 64,
      integer: true,
      unit: '×',
      scale: 'log2',
    },
    {
      type: 'list',
      name: 'sizes',
      label: 'Sizes n, for matrices n × n',
      help: 'Each is run in three ways. A size that would take too long here is left out, and named.',
      place: 'more',
      default: ['32', '64', '128', '192', '256', '384', '512', '768', '1024', '1536', '2048'],
      options: SIZES.map((value) => ({ value, label: value })),
    },
    { ...namedKernelParam, help: 'Which WGSL kernel multiplies on the device.' },
    repeatsParam,
    {
      ...secondsParam,
      help: 'About the longest that all windows together may take. Where this browser reports completion late, fewer repeats and sizes fit.',
      default: 6,
    },
  ],
  presets: [
    { id: 'short', label: 'Short run', values: { sizes: ['32', '128', '256'], repeats: 2 } },
    { id: 'reuse', label: 'Sixteen matmuls on each upload', values: { uses: 16 } },
    {
      id: 'large',
      label: 'Large matrices',
      values: { sizes: ['512', '768', '1024', '1536', '2048', '3072'] },
    },
  ],
  requires: [],
  sources: matmulSources,
  variants: ({ sizes }) => [
    ...sizes
      .map(Number)
      .toSorted((a, b) => a - b)
      .flatMap((n) => PLACES.map((place) => sizedVariant(place, n))),
    UPLOAD,
    READBACK,
    LATENCY,
  ],
  program: (variant) => parseVariant(variant)?.place ?? variant,
  names: namesOf,
  metrics: [
    {
      name: 'crossover-n',
      label: 'Size from which the device is faster',
      unit: 'count',
      origin: 'derived',
      at: [ROUND_TRIP, RESIDENT],
      sample: crossover,
    },
    {
      name: 'rule-n',
      label: 'The same, by time saved against bytes over bandwidth',
      unit: 'count',
      origin: 'derived',
      at: [ROUND_TRIP],
      sample: ruleOfThumb('saved'),
    },
    {
      name: 'rule-latency-n',
      label: 'The same, with the latency of a round trip',
      unit: 'count',
      origin: 'derived',
      at: [ROUND_TRIP],
      sample: ruleOfThumb('saved-with-latency'),
    },
    {
      name: 'rule-factor',
      label: 'Measured over the rule by time saved',
      isFactor: true,
      unit: 'ratio',
      origin: 'derived',
      at: [ROUND_TRIP],
      sample: overRule('rule-n'),
    },
    {
      name: 'rule-latency-factor',
      label: 'Measured over the rule with latency',
      isFactor: true,
      unit: 'ratio',
      origin: 'derived',
      at: [ROUND_TRIP],
      sample: overRule('rule-latency-n'),
    },
    {
      name: 'kernel-share',
      label: 'Share of a round trip that is computing',
      unit: 'ratio',
      origin: 'derived',
      range: SHARE,
      variants: isTrip,
      sample: shareOfMatmuls,
    },
    {
      name: 'kernel-ms',
      label: 'Computing, on the device',
      unit: 'ms',
      origin: 'device-clock',
      range: NOT_NEGATIVE,
      variants: isTrip,
      sample: matmuls,
    },
    {
      name: 'fill-ms',
      label: 'Host filling staging buffers',
      unit: 'ms',
      origin: 'host-clock',
      range: NOT_NEGATIVE,
      variants: isTrip,
      sample: perOperation('fill'),
    },
    {
      name: 'wait-ms',
      label: 'Host awaiting the result',
      unit: 'ms',
      origin: 'host-clock',
      range: NOT_NEGATIVE,
      variants: isTrip,
      sample: perOperation('wait-map'),
    },
    {
      name: 'other-wait-ms',
      label: 'Awaiting it while the device does not compute',
      unit: 'ms',
      origin: 'derived',
      range: NOT_NEGATIVE,
      variants: isTrip,
      sample: besideMatmuls,
    },
    {
      name: 'read-ms',
      label: 'Host copying the result out',
      unit: 'ms',
      origin: 'host-clock',
      range: NOT_NEGATIVE,
      variants: isTrip,
      sample: perOperation('read'),
    },
    {
      name: 'time-ms',
      label: 'Time of an operation',
      unit: 'ms',
      origin: 'host-clock',
      variants: isSized,
      sample: time,
    },
    {
      name: 'gflops',
      label: 'Rate of an operation',
      unit: 'GFLOP/s',
      origin: 'derived',
      variants: isSized,
      sample: gflops,
    },
    {
      name: 'upload-gb-per-s',
      label: 'Bandwidth to the device',
      unit: 'GB/s',
      origin: 'host-clock',
      range: NOT_NEGATIVE,
      at: [UPLOAD],
      sample: bandwidth,
    },
    {
      name: 'readback-gb-per-s',
      label: 'Bandwidth back',
      unit: 'GB/s',
      origin: 'host-clock',
      range: NOT_NEGATIVE,
      at: [READBACK],
      sample: bandwidth,
    },
    {
      name: 'latency-ms',
      label: 'Round trip of four bytes',
      unit: 'ms',
      origin: 'host-clock',
      range: NOT_NEGATIVE,
      at: [LATENCY],
      sample: windowOver(operations),
    },
    {
      name: 'rule-compute-n',
      label: 'The same size, by time computed against bytes over bandwidth',
      unit: 'count',
      origin: 'derived',
      at: [ROUND_TRIP],
      sample: ruleOfThumb('computed'),
    },
    {
      name: 'rule-compute-factor',
      label: 'Measured over the rule by time computed',
      isFactor: true,
      unit: 'ratio',
      origin: 'derived',
      at: [ROUND_TRIP],
      sample: overRule('rule-compute-n'),
    },
  ],
  rules: worthItRules,
  figures: figuresOfWorthIt,
})
