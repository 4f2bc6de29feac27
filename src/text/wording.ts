/** Figures as words, for verdicts and explanations. Pure. */
import { bytesText, flopRateUnit, grouped, plain } from '../base/figures'
import type { Metric } from '../trace/report'
import type { Quantity } from './figure'

const formatOf = (figures: number) =>
  new Intl.NumberFormat('en', { maximumSignificantDigits: figures, useGrouping: 'min2' })
const [THREE, FOUR] = [formatOf(3), formatOf(4)]

/**
 * Four figures of a thousand and more, three below; in groups from five digits on: '12,340',
 * '1234', '12.3'.
 */
function digits(value: number): string {
  const figures = Math.abs(value) >= 1000 ? 4 : 3
  return (figures === 4 ? FOUR : THREE).format(Number(plain(value, figures)))
}

/** µs: from here on a time is read in ms. */
const FAR_FROM_US = 1e4

/**
 * 'not measured', '95.2 %', '12 µs', '2.72 ms', '16.8 TFLOP/s': short, with the unit; a page shows
 * bounds beside it.
 */
export function say(quantity: Pick<Metric, 'unit' | 'value'> | null | undefined): string {
  if (quantity?.value == null) return 'not measured'
  const { value, unit } = quantity
  if (unit === 'ratio') return `${digits(value * 100)} %`
  if (unit === 'us')
    return Math.abs(value) < FAR_FROM_US ? `${digits(value)} µs` : `${digits(value / 1e3)} ms`
  if (unit === 'bytes') return bytesText(value)
  if (unit === 'GFLOP/s') {
    const { label, gflops } = flopRateUnit(value)
    return `${digits(value / gflops)} ${label}`
  }
  return unit === 'count' ? digits(value) : `${digits(value)} ${unit}`
}

/** 9.13 becomes '9.1 times': a ratio of two medians deserves no more than two digits. */
export const inTimes = (ratio: number): string => `${grouped(ratio, 2)} times`

/**
 * A factor with its interval: '1.05 times (1.03 to 1.08)'. Shares read well as per cent, factors do
 * not.
 */
export function factorInWords({ value, low, high }: Pick<Quantity, 'value' | 'low' | 'high'>): string {
  const known = low !== null && high !== null && Number.isFinite(low) && Number.isFinite(high)
  const interval = known ? ` (${grouped(low, 3)} to ${grouped(high, 3)})` : ''
  return `${grouped(value, 3)} times${interval}`
}

/**
 * Two figures, in groups from five digits on: a crossover, or a size, is never known better than to
 * some per cent.
 */
export const about = (value: number): string =>
  Number(plain(value, 2)).toLocaleString('en', { maximumSignificantDigits: 2, useGrouping: 'min2' })
