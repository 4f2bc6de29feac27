/**
 * How wide is the hallway? Transfers up and down over sizes, each awaited; and the same bytes at
 * once, in pieces, and in awaited pieces.
 */
import { defineExperiment } from '../declare/experiment'
import { only, type View } from '../declare/metric'
import { list, number } from '../declare/params'
import { quotientOf, rateOf, ratioTo, sumOfSpans, windowOver, lengthOf } from '../declare/samplers'
import { shared } from '../shared-params'
import {
  ALL,
  bytesTo,
  type Direction,
  DIRECTIONS,
  DOWN,
  PIECES,
  PIECES_AWAITED,
  SIZE_LABELS,
  TOGETHER,
  transferOf,
  UP,
  variantOf,
  WHOLE,
} from './variants'
import { readCounts, variantsOf } from '../evidence'
import { boundedTimeMs, lineThrough } from '../declare/line'
import type { Evidence, Window } from '../run-types'
import type { Figure, FigurePoint, FigureSeries, FigureReference } from '../../trace/figure'
import { findMetric, type Metric } from '../../trace/report'
import { boundsOf, curveBetween, pointsOf, thresholdsOf } from '../declare/sizes'

/**
 * Time over size, up and down, and the lines fitted to them; PyTorch's recorded points belong on
 * the same axes. Pure.
 */

const TIME_BY_SIZE = 'time-by-size'
const WORDS = { [UP]: 'to the device', [DOWN]: 'to the host' } as const
const HUES = { [UP]: 'variant-1', [DOWN]: 'variant-3' } as const
const KIB = 2 ** 10
const ONE = { messages: 1, share: 1 }

function model(
  metrics: readonly Metric[],
  direction: Direction,
  measured: readonly FigurePoint[],
): FigureSeries[] {
  const alphaUs = boundsOf(findMetric(metrics, 'latency-us', direction))
  const gbPerS = boundsOf(findMetric(metrics, 'fitted-gb-per-s', direction))
  const [from, to] = [measured[0]?.x, measured.at(-1)?.x]
  if (!alphaUs || !gbPerS?.value || from === undefined || to === undefined) return []
  return [
    {
      id: `model-${direction}`,
      label: `modelled: α + bytes / B, ${WORDS[direction]}`,
      hue: HUES[direction],
      marks: 'line',
      points: curveBetween(from, to, (kib) => boundedTimeMs(ONE, kib * KIB, { alphaUs, gbPerS })),
    },
  ]
}

function figuresOfTransfers(metrics: readonly Metric[]): readonly Figure[] {
  const series = DIRECTIONS.flatMap((direction): readonly FigureSeries[] => {
    const points = pointsOf(metrics, 'time-ms', bytesTo(direction), KIB)
    if (points.length < 2) return []
    const [label, hue] = [WORDS[direction], HUES[direction]]
    return [{ id: direction, label, hue, marks: 'points', points }, ...model(metrics, direction, points)]
  })
  if (series.length === 0) return []
  return [
    {
      id: TIME_BY_SIZE,
      title: 'Time of one awaited transfer over its size',
      caption:
        'On the left a transfer takes as long as any other, however little it carries: that is α. On the right twice the bytes take twice the time: that is B. The band round a fitted line has α and B at the ends of their intervals.',
      x: { label: 'size of the transfer', unit: 'KiB', scale: 'log2' },
      y: { label: 'time until its end is known', unit: 'ms', scale: 'log10' },
      series,
      thresholds: thresholdsOf(metrics, [['half-bytes', UP, 'half of it is α']], KIB),
    },
  ]
}

/** Recordings of public/companion/transfer_cost.py. */
const torchTransfers: FigureReference = {
  figure: TIME_BY_SIZE,
  file: 'torch-transfer-cost.json',
  x: 'kib',
  series: [
    { y: 'pageableUpMs', label: 'PyTorch: pageable, to the GPU' },
    { y: 'pinnedUpMs', label: 'PyTorch: pinned, to the GPU' },
    { y: 'pageableDownMs', label: 'PyTorch: pageable, to the host' },
    { y: 'pinnedDownMs', label: 'PyTorch: pinned, to the host' },
  ],
}

interface Has {
  readonly pieceKiB: number
}
type OwnView = View<Has>

const transfersIn = ({ derived }: Evidence, variant: string): number =>
  readCounts(derived['transfers']).get(variant) ?? 1
const pieces = ({ derived }: Evidence): number => Number(derived['pieces'])
/**
 * Transfers of a window, whose time is taken for one: of those at once and in pieces all are one.
 */
const transfers = ({ evidence, variant }: OwnView): number => transfersIn(evidence, variant)
/** Calls of a window that carry bytes. */
const calls = (view: OwnView): number =>
  view.variant === PIECES || view.variant === PIECES_AWAITED ? pieces(view.evidence) : transfers(view)
const carried = ({ evidence, variant, values }: OwnView): number =>
  transferOf(variant)?.bytes ?? pieces(evidence) * values.pieceKiB * 2 ** 10

const timeOf = ({ evidence }: OwnView, window: Window): number =>
  lengthOf(window) / transfersIn(evidence, window.variant)

/** Transfers of a direction that were run, the smallest first. */
const sizedIn = ({ evidence }: OwnView, direction: Direction) =>
  variantsOf(evidence)
    .flatMap((variant) => transferOf(variant) ?? [])
    .filter((transfer) => transfer.direction === direction)
    .toSorted((a, b) => a.bytes - b.bytes)

/** The largest transfer of the same direction; '' where it is this one. */
function largerThan(view: OwnView): string {
  const own = transferOf(view.variant)
  const largest = own && sizedIn(view, own.direction).at(-1)
  return largest && largest !== own ? largest.id : ''
}

/** The line of the direction that a figure is declared at. */
const line = lineThrough<Has>({
  variants: (view) => sizedIn(view, view.variant as Direction).map(({ id }) => id), // it is declared at the directions alone
  bytes: (variant) => transferOf(variant)?.bytes ?? 0,
  timeNs: timeOf,
  periodNs: ({ evidence }) => (evidence.completionLatencyMs ?? 0) * 1e6,
})
export const { alpha, rate, halfSize, error: lineError } = line

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
  question: 'How long do transfers of different sizes take?',
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
      'Each is uploaded, read back and awaited on its own. A size too large for this device is left out.',
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
    'rate-ratio': [
      'Rate, as a share of the largest transfer’s',
      quotientOf({ name: 'gb-per-s' }, { name: 'gb-per-s', variant: largerThan }),
      sized,
    ],
    slowdown: ['Longer than the same bytes at once', ratioTo(WHOLE), cut],
    'with-waits': ['With a wait after each, over one wait', ratioTo(PIECES), only(PIECES_AWAITED)],
    'time-ms': ['Time until the end is known', windowOver(transfers)],
    'gb-per-s': ['Rate', rateOf(carried, { name: 'time-ms' })],
    'call-us': ['Time of each piece', windowOver(calls), cut],
    'write-ms': ['Host inside writeBuffer()', sumOfSpans({ role: 'write' }, transfers)],
    'latency-us': ['α: what a transfer costs, whatever its size', alpha, ofDirections],
    'fitted-gb-per-s': ['B: rate of the bytes alone', rate, ofDirections],
    'half-bytes': ['Size at which half of the time is α', halfSize, ofDirections],
    'line-error-ratio': ['Farthest from the line', lineError, ofDirections],
  },
  figures: figuresOfTransfers,
  references: [torchTransfers],
})
