/** How wide is the hallway? Transfers up and down over sizes, each awaited; and the same bytes at once, in pieces, and in awaited pieces. */
import { defineExperiment } from '../declare/experiment'
import { only } from '../declare/metric'
import { list, number } from '../declare/params'
import { rateOf, ratioTo, sumOfSpans, windowOver, worked } from '../declare/samplers'
import { shared } from '../shared-params'
import { figuresOfTransfers, torchTransfers } from './charts'
import { alpha, calls, carried, halfSize, lineError, rate, shareOfRate, transfers } from './samplers'
import {
  ALL,
  bytesTo,
  DIRECTIONS,
  PIECES,
  PIECES_AWAITED,
  SIZE_LABELS,
  TOGETHER,
  transferOf,
  variantOf,
  WHOLE,
} from './variants'

const sized = { variants: (variant: string) => transferOf(variant) !== null }
const cut = only(PIECES, PIECES_AWAITED)
/** A figure of the line through all sizes of a direction. */
const ofDirections = {
  at: (measured: readonly string[]) =>
    DIRECTIONS.filter((direction) => measured.some((each) => bytesTo(direction)(each) !== null)),
}

export const transferCost = defineExperiment({
  id: 'transfer-cost',
  title: 'The cost of a transfer',
  question: 'How long does a transfer take, by its size?',
  params: [
    number(
      'pieceKiB',
      'Size of a piece',
      'whole, pieces and pieces-awaited carry this many bytes for each piece.',
      { place: 'dial', default: 16, min: 4, max: 4096, unit: 'KiB', scale: 'log2' },
    ),
    list(
      'sizes',
      'Sizes of transfers',
      'Each is uploaded and read back by itself, and awaited. A size that is too large for this device, or for the time at hand, is left out.',
      SIZE_LABELS,
      { place: 'dial', default: ['4k', '64k', '1m', '4m', '16m', '64m'] },
    ),
    number('pieces', 'Pieces', 'Into how many pieces the bytes are cut: fewer where a wait is long.', {
      default: 64,
      min: 4,
      max: 512,
      scale: 'log2',
    }),
    shared.repeats,
    shared.seconds,
  ],
  short: { sizes: ['4k', '64k', '1m', '16m'], pieces: 16, repeats: 2 },
  sources: ['shaders/data/gather.wgsl'],
  all: ALL,
  variants: ({ sizes }) => [
    ...TOGETHER,
    ...DIRECTIONS.flatMap((direction) => sizes.map((size) => variantOf(direction, size))),
  ],
  metrics: {
    'rate-ratio': ['Rate, as a share of the largest transfer’s', shareOfRate, sized],
    slowdown: ['Longer than the same bytes at once', ratioTo(WHOLE), cut],
    'with-waits': ['With a wait behind each, over one wait', ratioTo(PIECES), only(PIECES_AWAITED)],
    'time-ms': ['Time until the end is known', windowOver(transfers)],
    'gb-per-s': ['Rate', rateOf(carried, { name: 'time-ms' })],
    'call-us': ['Time of each piece', windowOver(calls), cut],
    'write-ms': ['Host inside writeBuffer()', sumOfSpans({ role: 'write' }, transfers)],
    'carried-bytes': [
      'Bytes of a transfer, or of all pieces',
      worked('count', carried, 'by the sizes that the program asks for'),
    ],
    'latency-us': ['α: what a transfer costs, whatever it carries', alpha, ofDirections],
    'fitted-gb-per-s': ['B: rate of the bytes alone', rate, ofDirections],
    'half-bytes': ['Size at which half of the time is α', halfSize, ofDirections],
    'line-error-ratio': ['Farthest from the line', lineError, ofDirections],
  },
  figures: figuresOfTransfers,
  references: [torchTransfers],
})
