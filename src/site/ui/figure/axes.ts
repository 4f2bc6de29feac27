/**
 * Scales and ticks of a figure's axes. Pure; values in, px out. A logarithmic axis holds positive
 * values only.
 */
import { extent } from 'd3-array'
import { scaleLinear, scaleLog, type ScaleContinuousNumeric } from 'd3-scale'
import type { Figure, FigureAxis } from '../../../trace/figure'

export type Scale = ScaleContinuousNumeric<number, number>
export type Domain = readonly [number, number]

export interface Tick {
  readonly at: number
  /** '' for a tick without a number. */
  readonly text: string
}

const figure = new Intl.NumberFormat('en', { maximumSignificantDigits: 4, useGrouping: 'min2' })
/** Whole numbers are counts and sizes: they are written in full. */
export const tickText = (value: number): string =>
  Number.isInteger(value) ? value.toLocaleString('en', { useGrouping: 'min2' }) : figure.format(value)

/** Sizes by powers of two have units of their own: 16 MiB, not 16,384 KiB. */
const SIZES = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const
export const isSize = ({ scale, unit }: FigureAxis): boolean =>
  scale === 'log2' && SIZES.some((size) => size === unit)
function sizeText(value: number, unit: string): string {
  const from = SIZES.findIndex((size) => size === unit)
  const up = Math.max(-from, Math.min(SIZES.length - 1 - from, Math.floor(Math.log2(value) / 10 + 1e-9)))
  return `${tickText(value / 2 ** (10 * up))} ${SIZES[from + up] ?? unit}`
}
const ROOM_FOR_SIZE = 68

const isLog = ({ scale }: FigureAxis): boolean => scale !== 'linear'
/** Whether an axis has a place for this value. */
export const isPlaceable = (axis: FigureAxis, value: number): boolean =>
  Number.isFinite(value) && (!isLog(axis) || value > 0)

/**
 * All values, intervals and thresholds of an axis, with some air; [0, 1] or [1, 10] where there is
 * none.
 */
export function domainOf({ x, y, series, thresholds }: Figure, which: 'x' | 'y'): Domain {
  const axis = which === 'x' ? x : y
  const values = [
    ...series.flatMap(({ points }) =>
      points.flatMap((point) =>
        which === 'x' ? [point.x] : [point.y, point.low ?? point.y, point.high ?? point.y],
      ),
    ),
    ...(which === 'x' ? thresholds.map(({ value }) => value) : []),
  ].filter((value) => isPlaceable(axis, value))
  if (values.length === 0) return isLog(axis) ? [1, 10] : [0, 1]
  // A file's report has as many points as it likes: more than a call takes arguments.
  const [least = 0, most = 0] = extent(values)
  // Lines that were given ends of their own (a roof) reach the edge; points keep off it.
  const toEdge = which === 'x' && series.some(({ marks }) => marks === 'line')
  if (isLog(axis)) {
    const air = toEdge ? 1 : (most / least) ** 0.05 * 1.12
    return [least / air, most * air]
  }
  const from = Math.min(0, least)
  const air = toEdge ? 0 : (most - from) * 0.06
  return [from, most + (air > 0 ? air : most === from ? 1 : 0)]
}

export function scaleOf(axis: FigureAxis, domain: Domain, range: Domain): Scale {
  switch (axis.scale) {
    case 'linear':
      return scaleLinear(domain, range)
    case 'log2':
      return scaleLog(domain, range).base(2)
    case 'log10':
      return scaleLog(domain, range).base(10)
  }
}

/**
 * Powers of the base, each `stride`-th with a number, so that numbers keep `leastPx` apart; between
 * few decades 2 and 5 as well.
 */
export function ticksOf(axis: FigureAxis, scale: Scale, leastPx: number): readonly Tick[] {
  const [from = 0, to = 1] = scale.domain()
  const [start = 0, end = 1] = scale.range()
  const pixels = Math.abs(end - start)
  if (!isLog(axis)) {
    const values = scale.ticks(Math.max(2, Math.floor(pixels / leastPx)))
    return values.map((value) => ({ at: scale(value), text: tickText(value) }))
  }
  const base = axis.scale === 'log2' ? 2 : 10
  const log = (value: number) => Math.log(value) / Math.log(base)
  const [first, last] = [Math.ceil(log(from) - 1e-9), Math.floor(log(to) + 1e-9)]
  const powers = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
  const pxPerPower = pixels / Math.max(1e-9, log(to) - log(from))
  const sized = isSize(axis)
  const stride = Math.max(1, Math.ceil((sized ? Math.max(leastPx, ROOM_FOR_SIZE) : leastPx) / pxPerPower))
  const textOf = (value: number) => (sized ? sizeText(value, axis.unit) : tickText(value))
  const major = powers.map((power) => ({
    at: scale(base ** power),
    text: power % stride === 0 ? textOf(base ** power) : '',
  }))
  if (base === 2) return major
  const between = [2, 5].flatMap((factor) =>
    [first - 1, ...powers].flatMap((power) => {
      const value = factor * 10 ** power
      return value >= from && value <= to ? [value] : []
    }),
  )
  const hasRoom = pxPerPower * Math.log10(2) >= leastPx
  // A decade or two leave most of the axis without a number: 2 and 5 have one where there is room,
  // or where there is nothing else.
  return [
    ...major,
    ...between.map((value) => ({
      at: scale(value),
      text: hasRoom || powers.length < 2 ? tickText(value) : '',
    })),
  ]
}
