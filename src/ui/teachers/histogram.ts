/** Where a class's figures lie: predictions above, measurements below by kind of adapter, on one axis. Pure; values in, px out. */
import { bin, extent, max } from 'd3-array'
import { scaleLinear } from 'd3-scale'
import { quantile } from '../../base/stats'
import type { FigureAxis, FigureHue } from '../../trace/figure'
import type { AdapterClass } from '../../teaching/completion-code'
import { scaleOf, tickText, ticksOf, type Domain, type Tick } from '../figure/axes'

/** `plain`: a number without a code, which does not say on what it was measured. */
export type Group = AdapterClass | 'plain'
/** In the order in which they are stacked. */
export const GROUPS: readonly { readonly id: Group; readonly label: string; readonly hue: FigureHue }[] = [
  { id: 'discrete', label: 'discrete GPU', hue: 'device' },
  { id: 'integrated', label: 'integrated GPU', hue: 'staging' },
  { id: 'unknown', label: 'GPU of unknown kind', hue: 'queue' },
  { id: 'software', label: 'software, on the CPU', hue: 'wait' },
  { id: 'recorded', label: 'recording', hue: 'transfer' },
  { id: 'plain', label: 'plain numbers', hue: 'idle' },
]

export interface Values {
  readonly predicted: readonly number[]
  readonly measured: readonly { readonly group: Group; readonly value: number }[]
}

export interface Asked {
  readonly unit: string
  /** Of the lesson's slider; null where there is none. */
  readonly range: Domain | null
  /** The slider goes by doublings. */
  readonly doublings: boolean
}

interface Bin {
  readonly from: number
  readonly to: number
  readonly predicted: number
  readonly measured: Readonly<Partial<Record<Group, number>>>
}

export interface Histogram {
  readonly axis: FigureAxis
  readonly domain: Domain
  readonly bins: readonly Bin[]
}

/** About as many bins as this: a class of thirty fills no more. */
const BINS = 12
/** Beyond it no axis shows both ends: a typing error, most likely. */
const MOST_SPREAD = 2 ** 40
/** Spread over more than two decades, equal ratios are equal distances. */
const DECADES = 100

function scaleFor({ doublings }: Asked, [least, most]: Domain): FigureAxis['scale'] {
  // Nor where there are more powers between them than bins that can be seen.
  if (!(least > 0) || most / least > MOST_SPREAD) return 'linear'
  return doublings ? 'log2' : most / least > DECADES ? 'log10' : 'linear'
}

const powers = (base: number, [least, most]: Domain): readonly number[] => {
  const log = (value: number) => Math.log(value) / Math.log(base)
  const [first, last] = [
    Math.floor(log(least) + 1e-9),
    Math.max(Math.ceil(log(most) - 1e-9), Math.floor(log(least) + 1e-9) + 1),
  ]
  const whole = Array.from({ length: last - first + 1 }, (_, index) => base ** (first + index))
  if (base === 2) return whole
  return whole.flatMap((power, index) => (index < whole.length - 1 ? [power, 2 * power, 5 * power] : [power]))
}

/** The ends of the bins, ascending: round numbers that hold every value; plain tenths where rounding loses one. */
function edgesFor(scale: FigureAxis['scale'], [least, most]: Domain): readonly number[] {
  // A single value, or several that no axis could tell apart, have some room around them.
  const length = most > least ? most - least : Math.abs(least)
  const size = Math.max(Math.abs(least), Math.abs(most), 1)
  const end = Math.max(most, least + Math.max(length, size * LEAST_SPREAD))
  const round =
    scale === 'linear'
      ? scaleLinear([least, end], [0, 1]).nice(BINS).ticks(BINS)
      : powers(scale === 'log2' ? 2 : 10, [least, most])
  const [first = Number.NaN, last = Number.NaN] = [round[0], round.at(-1)]
  if (first <= least && last >= most && round.length > 1) return round
  return Array.from({ length: 11 }, (_, index) => (index === 10 ? end : least + ((end - least) * index) / 10))
}

/** Of an axis, of its values' size: what is closer than that is one value. */
const LEAST_SPREAD = 1e-9

/** Null where there is nothing to show. */
export function histogramOf({ predicted, measured }: Values, asked: Asked): Histogram | null {
  const values = [...predicted, ...measured.map(({ value }) => value)]
  if (values.length === 0) return null
  // The slider's range and what lies outside it; on an axis of ratios only what is above 0 has a place.
  const [least = 0, most = 1] = extent([...values, ...(asked.range ?? [])])
  const scale = scaleFor(asked, [least, most])
  const edges = edgesFor(scale, [least, most])
  const [from = 0, to = 1] = [edges[0], edges.at(-1)]
  const binned = bin<{ readonly value: number; readonly group: Group | null }, number>()
    .value(({ value }) => value)
    .domain([from, to])
    .thresholds(edges.slice(1, -1))([...predicted.map((value) => ({ value, group: null })), ...measured])
  return {
    axis: { label: '', unit: asked.unit, scale },
    domain: [from, to],
    bins: binned.map((members, index) => ({
      from: edges[index] ?? from,
      to: edges[index + 1] ?? to,
      predicted: members.filter(({ group }) => group === null).length,
      measured: Object.fromEntries(
        GROUPS.flatMap(({ id }) => {
          const count = members.filter(({ group }) => group === id).length
          return count === 0 ? [] : [[id, count] as const]
        }),
      ),
    })),
  }
}

export interface Summary {
  readonly label: string
  readonly count: number
  readonly median: number
  /** Quartiles; null below four values, which have none to speak of. */
  readonly middle: Domain | null
}

const summaryOf = (label: string, values: readonly number[]): readonly Summary[] =>
  values.length === 0
    ? []
    : [
        {
          label,
          count: values.length,
          median: quantile(values, 0.5),
          middle: values.length < 4 ? null : [quantile(values, 0.25), quantile(values, 0.75)],
        },
      ]

/** Of predictions, of all measurements, and of those of each kind of adapter where there are several. */
export function summariesOf({ predicted, measured }: Values): readonly Summary[] {
  const groups = GROUPS.flatMap(({ id, label }) =>
    summaryOf(
      `Measured: ${label}`,
      measured.filter(({ group }) => group === id).map(({ value }) => value),
    ),
  )
  return [
    ...summaryOf('Predicted', predicted),
    ...summaryOf(
      'Measured',
      measured.map(({ value }) => value),
    ),
    ...(groups.length > 1 ? groups : []),
  ]
}

interface Bar {
  readonly group: Group | null
  readonly count: number
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}
export interface Panel {
  readonly id: 'predicted' | 'measured'
  readonly top: number
  readonly bottom: number
  readonly bars: readonly Bar[]
  readonly ticks: readonly Tick[]
  readonly median: number | null
}
export interface HistogramLayout {
  readonly width: number
  readonly height: number
  readonly left: number
  readonly right: number
  readonly panels: readonly Panel[]
  readonly ticks: readonly Tick[]
}

const MARGIN = { left: 40, right: 14, top: 24, between: 44, bottom: 40 }
const PANEL = 120
/** Between the bars of neighbouring bins, px. */
const AIR = 2

/** Both panels count on one scale, so that their bars can be compared. */
export function layOutHistogram(
  { axis, domain, bins }: Histogram,
  { predicted, measured }: Values,
  width: number,
): HistogramLayout {
  const [left, right] = [MARGIN.left, Math.max(MARGIN.left + 40, width - MARGIN.right)]
  const x = scaleOf(axis, domain, [left, right])
  const totalOf = (each: Bin) => Object.values(each.measured).reduce((sum, count) => sum + count, 0)
  const most = max(bins, (each) => Math.max(each.predicted, totalOf(each))) ?? 1
  const panel = (
    id: Panel['id'],
    top: number,
    values: readonly number[],
    stacks: (each: Bin) => readonly (readonly [Group | null, number])[],
  ): Panel => {
    const y = scaleLinear([0, Math.max(1, most)], [top + PANEL, top])
    const bars = bins.flatMap((each) => {
      let below = 0
      const [start, end] = [x(each.from), x(each.to)]
      return stacks(each).map(([group, count]): Bar => {
        const bar = {
          group,
          count,
          x: start + AIR / 2,
          width: Math.max(1, end - start - AIR),
          y: y(below + count),
          height: y(below) - y(below + count),
        }
        below += count
        return bar
      })
    })
    const ticks = y
      .ticks(Math.min(4, Math.max(1, most)))
      .filter(Number.isInteger)
      .map((value) => ({ at: y(value), text: tickText(value) }))
    return {
      id,
      top,
      bottom: top + PANEL,
      bars,
      ticks,
      median: values.length === 0 ? null : x(quantile(values, 0.5)),
    }
  }
  const second = MARGIN.top + PANEL + MARGIN.between
  return {
    width,
    left,
    right,
    height: second + PANEL + MARGIN.bottom,
    ticks: ticksOf(axis, x, 56),
    panels: [
      panel('predicted', MARGIN.top, predicted, (each) =>
        each.predicted > 0 ? [[null, each.predicted]] : [],
      ),
      panel(
        'measured',
        second,
        measured.map(({ value }) => value),
        (each) =>
          GROUPS.flatMap(({ id }) => {
            const count = each.measured[id] ?? 0
            return count > 0 ? [[id, count] as const] : []
          }),
      ),
    ],
  }
}
