/**
 * Numbers as the timeline writes them: a narrow no-break space before each unit and between groups
 * of digits, a true minus sign. Units are never missing. Times come in ns, sizes in bytes, work in
 * floating-point operations.
 */
import { durationUnit, flopRateUnit, MINUS, sizeUnit } from '../base/figures'

export const THIN = '\u202f'
/** Digits in groups of three where there are more than four of them, as in '12 345.6'. */
export function groupDigits(value: number, decimals: number): string {
  const text = Math.abs(value).toFixed(decimals)
  const [whole = '0', fraction] = text.split('.')
  const grouped = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, THIN) : whole
  const isZero = Number(text) === 0
  return `${value < 0 && !isZero ? MINUS : ''}${grouped}${fraction === undefined ? '' : `.${fraction}`}`
}

const withUnit = (value: number, decimals: number, unit: string): string =>
  `${groupDigits(value, decimals)}${THIN}${unit}`

/** Decimals that leave about three significant digits, at most three. */
function decimalsFor(value: number): number {
  const size = Math.abs(value)
  if (size === 0 || size >= 100) return 0
  if (size >= 10) return 1
  return size >= 1 ? 2 : 3
}

/** A length of time: '3.10 ms', '0.284 ms', '12.0 µs'. */
export function formatDuration(valueNs: number): string {
  if (!Number.isFinite(valueNs)) return 'not known'
  if (valueNs === 0) return withUnit(0, 0, 'ms')
  const { label, ns } = durationUnit(valueNs)
  const value = valueNs / ns
  return withUnit(value, ns === 1 ? 0 : decimalsFor(value), label)
}

/** A point in time since the run's start, to the µs: '1 234.567 ms'. */
export const formatTime = (timeNs: number): string =>
  Number.isFinite(timeNs) ? withUnit(timeNs / 1e6, 3, 'ms') : 'not placed'

/** ±, both sides in one where they agree to 10 %. */
export function formatBound(beforeNs: number, afterNs: number): string {
  const larger = Math.max(beforeNs, afterNs)
  if (Math.abs(beforeNs - afterNs) <= 0.1 * larger) return `±${THIN}${formatDuration(larger)}`
  return `${MINUS}${formatDuration(beforeNs)} to +${formatDuration(afterNs)}`
}

export function formatBytes(size: number): string {
  const { label, bytes } = sizeUnit(size)
  const value = size / bytes
  return withUnit(value, bytes === 1 || Number.isInteger(value) ? 0 : decimalsFor(value), label)
}

/** Bytes a nanosecond are gigabytes a second. */
export const formatByteRate = (bytesPerNs: number): string =>
  bytesPerNs >= 1
    ? withUnit(bytesPerNs, decimalsFor(bytesPerNs), 'GB/s')
    : withUnit(bytesPerNs * 1e3, decimalsFor(bytesPerNs * 1e3), 'MB/s')

/** Operations a nanosecond are GFLOP/s. */
export function formatFlopRate(flopsPerNs: number): string {
  const { label, gflops } = flopRateUnit(flopsPerNs)
  return withUnit(flopsPerNs / gflops, decimalsFor(flopsPerNs / gflops), label)
}

export const formatShare = (share: number): string => withUnit(share * 100, share < 0.0995 ? 1 : 0, '%')
export const formatCount = (count: number): string => groupDigits(count, 0)
