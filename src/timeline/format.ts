/**
 * Numbers as the timeline writes them: a narrow no-break space before each unit and between groups of digits, a true minus sign.
 * Units are never missing. Times come in ns, sizes in bytes, work in floating-point operations.
 */
export const THIN = '\u202f'
const MINUS = '\u2212'

const TIME_UNITS = [
  ['s', 1e9],
  ['ms', 1e6],
  ['µs', 1e3],
  ['ns', 1],
] as const
export type TimeUnit = (typeof TIME_UNITS)[number][0]
export const unitNs = (unit: TimeUnit): number => TIME_UNITS.find(([name]) => name === unit)?.[1] ?? 1

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
export function decimalsFor(value: number): number {
  const size = Math.abs(value)
  if (size === 0 || size >= 100) return 0
  if (size >= 10) return 1
  return size >= 1 ? 2 : 3
}

/** The largest unit in which the value is at least 1: for ticks, where the step sets the unit. */
export function pickTimeUnit(valueNs: number): TimeUnit {
  const size = Math.abs(valueNs)
  // 0.9995: what would be written as 1000 of a unit is written as 1 of the next.
  return TIME_UNITS.find(([, scale]) => size >= scale * 0.9995)?.[0] ?? 'ns'
}

/** Lengths of time stay in ms from 0.1 ms to 10 s, so that neighbours can be compared at a glance. */
function pickDurationUnit(valueNs: number): TimeUnit {
  const size = Math.abs(valueNs)
  if (size >= 10e9) return 's'
  if (size >= 0.1e6 || size === 0) return 'ms'
  return size >= 0.1e3 ? 'µs' : 'ns'
}

/** A length of time: '3.10 ms', '0.284 ms', '12.0 µs'. */
export function formatDuration(valueNs: number): string {
  if (!Number.isFinite(valueNs)) return 'not known'
  const unit = pickDurationUnit(valueNs)
  const value = valueNs / unitNs(unit)
  return withUnit(value, unit === 'ns' ? 0 : decimalsFor(value), unit)
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
  if (size < 1024) return withUnit(size, 0, size === 1 ? 'byte' : 'bytes')
  const units = ['KiB', 'MiB', 'GiB'] as const
  const power = Math.min(units.length, Math.floor(Math.log2(size) / 10))
  const value = size / 1024 ** power
  return withUnit(value, Number.isInteger(value) ? 0 : decimalsFor(value), units[power - 1] ?? 'KiB')
}

/** Bytes a nanosecond are gigabytes a second. */
export const formatByteRate = (bytesPerNs: number): string =>
  bytesPerNs >= 1
    ? withUnit(bytesPerNs, decimalsFor(bytesPerNs), 'GB/s')
    : withUnit(bytesPerNs * 1e3, decimalsFor(bytesPerNs * 1e3), 'MB/s')

/** Operations a nanosecond are GFLOP/s. */
export const formatFlopRate = (flopsPerNs: number): string =>
  flopsPerNs >= 1e3
    ? withUnit(flopsPerNs / 1e3, decimalsFor(flopsPerNs / 1e3), 'TFLOP/s')
    : withUnit(flopsPerNs, decimalsFor(flopsPerNs), 'GFLOP/s')

export function formatFlops(count: number): string {
  for (const [scale, unit] of [
    [1e12, 'TFLOP'],
    [1e9, 'GFLOP'],
    [1e6, 'MFLOP'],
    [1e3, 'kFLOP'],
  ] as const)
    if (count >= scale) return withUnit(count / scale, decimalsFor(count / scale), unit)
  return withUnit(count, 0, 'FLOP')
}

export const formatShare = (share: number): string => withUnit(share * 100, share < 0.0995 ? 1 : 0, '%')
export const formatCount = (count: number): string => groupDigits(count, 0)
