/**
 * Numbers as a page writes them, in the units of base/figures.ts. A figure is given to the digit
 * that its bound leaves standing, the bound rounded up, the unit behind a thin space.
 */
import { durationUnit, flopRateUnit, MINUS, sizeUnit } from '../../base/figures'
import type { Metric } from '../../trace/report'

/**
 * Ratios that are read as 'times as long', not as a share of something, by name. The declarations
 * say the same, and a test holds this list to them: whoever writes a figure needs no declaration
 * for it. @internal
 */
export const FACTOR_NAMES: ReadonlySet<string> = new Set([
  'best-speedup',
  'best-step-speedup',
  'device-slowdown',
  'lead',
  'making-load',
  'pace',
  'reserve-gain',
  'slowdown',
  'speedup',
  'step-speedup-limit',
  'with-waits',
])

/**
 * Thin space: between figure and unit, behind ±. It may break, so text with quantities is drawn
 * through <Quantities>.
 */
export const THIN = '\u2009'
/** The same, narrower, where the parts must stay together. */
export const NARROW = '\u202f'

type MetricUnit = Metric['unit']
/** What is written of a metric; a figure worked out from metrics has as much, and no name. */
export type Figure = Pick<Metric, 'name' | 'unit' | 'value' | 'low' | 'high' | 'note'>

/** How a unit is written at some magnitude: shown = value · scale. */
export interface Scaled {
  readonly label: string
  readonly scale: number
}

export const TIME_NS: Partial<Record<MetricUnit, number>> = { ns: 1, us: 1e3, ms: 1e6 }

/** The unit in which a value of this magnitude is easily read. */
export function pickUnit(unit: MetricUnit, magnitude: number, name = ''): Scaled {
  const size = Math.abs(magnitude)
  const inNs = TIME_NS[unit]
  if (inNs !== undefined) {
    // Zero has no magnitude: it stays in the unit it came in.
    if (size === 0) return { label: unit === 'us' ? 'µs' : unit, scale: 1 }
    const { label, ns } = durationUnit(size * inNs)
    return { label, scale: inNs / ns }
  }
  switch (unit) {
    case 'ratio':
      return FACTOR_NAMES.has(name) ? { label: '×', scale: 1 } : { label: '%', scale: 100 }
    case 'GFLOP/s': {
      const { label, gflops } = flopRateUnit(size)
      return { label, scale: 1 / gflops }
    }
    case 'flop/byte':
      return { label: 'flop/byte', scale: 1 }
    case 'GB/s':
      return size > 0 && size < 0.1 ? { label: 'MB/s', scale: 1e3 } : { label: 'GB/s', scale: 1 }
    case 'bytes': {
      const { label, bytes } = sizeUnit(size)
      return { label, scale: 1 / bytes }
    }
    default:
      return { label: '', scale: 1 }
  }
}

const MAX_DIGITS = 4
const MIN_FIGURES = 2
/** Figures of a value that has no bound. */
const PLAIN_DIGITS = 3

/**
 * Decimals (negative: tens, hundreds) that a bound leaves standing: one digit of it, two if that is
 * a 1. Capped at 4 figures of the value.
 */
function decimalsFor(value: number, bound: number | null): number {
  const exponent = (x: number) => Math.floor(Math.log10(Math.abs(x)))
  // 999.96 is written with four figures as 1000.
  const whole = value === 0 ? 0 : exponent(Number(value.toPrecision(MAX_DIGITS)))
  const most = MAX_DIGITS - 1 - whole
  if (bound === null || bound <= 0) return PLAIN_DIGITS - 1 - whole
  const order = exponent(bound)
  const leading = Math.floor(bound / 10 ** order)
  // However wide the bound: two figures of the value, so that 0.45 ± 2.5 does not read as 0.
  const least = value === 0 ? 0 : MIN_FIGURES - 1 - whole
  return Math.min(Math.max(leading === 1 ? 1 - order : -order, least), most)
}

export function fixed(value: number, decimals: number): string {
  const step = 10 ** -decimals
  const rounded = decimals < 0 ? Math.round(value / step) * step : value
  const digits = Math.min(Math.max(decimals, 0), 12)
  const text = new Intl.NumberFormat('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: 'min2',
  }).format(rounded)
  return /[1-9]/.test(text) ? text.replace('-', MINUS) : text.replace('-', '')
}

/** The bound rounded up: never claim more than was measured. */
const roundedUp = (bound: number, decimals: number): number => {
  const step = 10 ** -decimals
  return Math.ceil(bound / step - 1e-9) * step
}

export const withUnit = (figure: string, label: string): string =>
  // A variable's name stands before its value.
  label === 'n' ? `n${THIN}=${THIN}${figure}` : label === '' ? figure : `${figure}${THIN}${label}`

/** A plain number to three figures: '9.13', '1,830', '0.0042'. */
export const formatNumber = (value: number): string =>
  Number.isInteger(value) && Math.abs(value) < 1e15
    ? new Intl.NumberFormat('en', { useGrouping: 'min2' }).format(value).replace('-', MINUS)
    : fixed(value, decimalsFor(value, null))

/** So many figures, also of a whole number: 1234 is written '1230'. */
export const formatFigures = (value: number, figures = 3): string =>
  formatNumber(Number(value.toPrecision(figures)))

/** Larger distance from the value to an end of its interval; null where there is none. */
const boundOf = ({ value, low, high }: Figure): number | null =>
  value === null || low === null || high === null ? null : Math.max(high - value, value - low, 0)

/**
 * A metric's figures in one unit, so that rows of one metric can be compared. Null where it was not
 * measured.
 */
export function metricText(metric: Figure, unit?: Scaled) {
  const { value, low, high } = metric
  if (value === null || !Number.isFinite(value)) return null
  const { label, scale } = unit ?? pickUnit(metric.unit, value, metric.name)
  const bound = boundOf(metric)
  // A count is a whole number unless the run says otherwise.
  const whole = metric.unit === 'count' && Number.isInteger(value)
  const decimals = whole ? 0 : decimalsFor(value * scale, bound === null ? null : bound * scale)
  const write = (x: number | null) => (x === null ? '' : fixed(x * scale, decimals))
  return {
    figure: write(value),
    unit: label,
    /** Half-width to write behind ±, in the same unit; '' where there is none. */
    bound: bound === null || bound === 0 ? '' : fixed(roundedUp(bound * scale, decimals), decimals),
    low: write(low),
    high: write(high),
  }
}

export const reasonNotMeasured = (metric: Figure | undefined): string =>
  metric?.note?.replace(/\.$/, '') ?? 'this run has no such figure'

export const whyNotMeasured = (metric: Figure | undefined): string =>
  `not measured: ${reasonNotMeasured(metric)}`

const isShare = ({ unit, name }: Figure): boolean => unit === 'ratio' && !FACTOR_NAMES.has(name)

/**
 * An interval of which one side is more than twice the other, and not small, or which ± would take
 * below nothing, or beyond the whole that a share is of: ± would say too much or too little.
 */
export function isLopsided(figure: Figure): boolean {
  const { value, low, high } = figure
  if (value === null || low === null || high === null) return false
  const [less = 0, more = 0] = [value - low, high - value].toSorted((a, b) => a - b)
  if (low >= 0 && value - more < 0) return true
  return (
    more > 2 * less && (more > 0.1 * Math.abs(value) || (isShare(figure) && value + more > 1 && high <= 1))
  )
}

/**
 * A share whose interval is wider than this tells hardly anything of the whole that it is a share
 * of.
 */
const WIDEST_SHARE = 0.5

/**
 * What a reader must know before taking a figure at its value, in words: its interval is wider than
 * what it means. '' mostly.
 */
export function flagOf(figure: Figure): string {
  const { value, low, high } = figure
  if (value === null || low === null || high === null) return ''
  if (isShare(figure)) return high - low > WIDEST_SHARE ? 'too wide to tell' : ''
  return value > 0 && low <= 0 && high > value ? 'may be 0' : ''
}

/**
 * '9.1 % ± 0.2', '20 % (10 to 50)', '88 (up to 340)', '−22 % ± 85 (too wide to tell)'; 'not
 * measured: why' instead of a made-up number.
 */
export const formatMetric = (metric: Figure | undefined): string =>
  formatAs(metric, undefined, metric !== undefined && isLopsided(metric))

/** `asRange`: its interval from low to high, not behind ±. */
export function formatAs(metric: Figure | undefined, unit: Scaled | undefined, asRange: boolean): string {
  const text = metric ? metricText(metric, unit) : null
  if (!metric || !text) return whyNotMeasured(metric)
  const figure = withUnit(text.figure, text.unit)
  // An interval that is open at one end has its other one.
  if (metric.low === null && metric.high !== null) return `${figure} (up to ${text.high})`
  if (metric.low !== null && metric.high === null) return `${figure} (from ${text.low})`
  if (text.bound === '') return figure
  const flag = flagOf(metric)
  if (asRange) return `${figure} (${text.low} to ${text.high}${flag === '' ? '' : `: ${flag}`})`
  return `${figure} ±${THIN}${text.bound}${flag === '' ? '' : ` (${flag})`}`
}

/**
 * A figure without a bound, in the unit that suits it: rates and latencies of the capability
 * report.
 */
export function formatQuantity(value: number, unit: MetricUnit, name = ''): string {
  const { label, scale } = pickUnit(unit, value, name)
  return withUnit(formatFigures(value * scale), label)
}

/** A share of a whole. Nearly all is not all: 99.96 % is written so, and never as 100 %. */
export const formatShare = (share: number): string =>
  share >= 0.9995 && share < 1
    ? withUnit(String(Math.floor(share * 1e4) / 100), '%')
    : formatQuantity(share, 'ratio')

/** '3.2 s', '840 ms': how long a run took. */
export const formatDuration = (ms: number): string =>
  ms >= 1000 ? withUnit(fixed(ms / 1000, 1), 's') : withUnit(fixed(ms, 0), 'ms')

export const formatDate = (iso: string): string => {
  const date = new Date(iso)
  return Number.isNaN(date.getTime())
    ? iso
    : new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' }).format(date)
}

export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`

/** As browsers and download pages count: '12.3 MB', of 10⁶ bytes. */
export const formatMegabytes = (bytes: number): string => `${formatNumber(Math.round(bytes / 1e5) / 10)} MB`
