/**
 * Numbers as text, for all layers: the units by magnitude, and plain words with them, for evidence,
 * verdicts, grades and the terminal. A page writes figures to the digit that their bound leaves
 * standing (site/ui/format.ts), a canvas in columns that line up (timeline/format.ts): their digits
 * and spaces differ, the units are these.
 */
export const MINUS = '\u2212'

export const NS_PER_MS = 1e6
/** Bytes. */
export const MIB = 1024 * 1024
export const GIB = 1024 * MIB

const TIME_UNITS = [
  { label: 's', ns: 1e9 },
  { label: 'ms', ns: 1e6 },
  { label: 'µs', ns: 1e3 },
  { label: 'ns', ns: 1 },
] as const
export type TimeUnit = (typeof TIME_UNITS)[number]
const [SECONDS, MILLISECONDS, MICROSECONDS, NANOSECONDS] = TIME_UNITS

/**
 * The largest unit in which the time is at least 1. 0.9995: what would be written as 1000 of a unit
 * is written as 1 of the next.
 */
export const largestTimeUnit = (timeNs: number): TimeUnit =>
  TIME_UNITS.find(({ ns }) => Math.abs(timeNs) >= ns * 0.9995) ?? NANOSECONDS

/**
 * For lengths of time side by side: ms from 0.1 ms to 10 s, so that neighbours can be compared at a
 * glance.
 */
export function durationUnit(timeNs: number): TimeUnit {
  const size = Math.abs(timeNs)
  if (size >= 10e9) return SECONDS
  if (size >= 0.1e6) return MILLISECONDS
  return size >= 0.1e3 ? MICROSECONDS : NANOSECONDS
}

const SIZE_UNITS = [
  { label: 'GiB', bytes: 2 ** 30 },
  { label: 'MiB', bytes: 2 ** 20 },
  { label: 'KiB', bytes: 2 ** 10 },
] as const

export const sizeUnit = (sizeBytes: number): { readonly label: string; readonly bytes: number } =>
  SIZE_UNITS.find(({ bytes }) => Math.abs(sizeBytes) >= bytes) ?? {
    label: sizeBytes === 1 ? 'byte' : 'bytes',
    bytes: 1,
  }

/** The unit of a rate in GFLOP/s. */
export const flopRateUnit = (gflops: number): { readonly label: string; readonly gflops: number } =>
  Math.abs(gflops) >= 1e3 ? { label: 'TFLOP/s', gflops: 1e3 } : { label: 'GFLOP/s', gflops: 1 }

/** Rounds to this many significant figures, without trailing zeros: '9.13', '1230', '0.0042'. */
export const plain = (value: number, figures = 3): string => String(Number(value.toPrecision(figures)))

/**
 * The same with digits in groups, whole numbers in full unless a number of figures is given:
 * '16,384', '1,230'.
 */
export const grouped = (value: number, figures?: number): string =>
  value.toLocaleString('en', figures === undefined ? {} : { maximumSignificantDigits: figures })

/** '1 gap', '12 gaps': what was counted is never rounded. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${String(count)} ${count === 1 ? one : many}`

/** '12.3 µs', '3.1 ms', '1 s'. */
export function durationText(timeNs: number): string {
  const { label, ns } = largestTimeUnit(timeNs)
  return `${plain(timeNs / ns)} ${label}`
}

/** '16.6 to 28.7 ms': the unit once, where both have one. */
export function durationRangeText(lowNs: number, highNs: number): string {
  const [low, high] = [durationText(lowNs), durationText(highNs)]
  const [value = low, unit = ''] = low.split(' ')
  return `${high.endsWith(` ${unit}`) ? value : low} to ${high}`
}

/** '4 bytes', '1.5 KiB', '64 MiB'. */
export function bytesText(sizeBytes: number): string {
  const { label, bytes } = sizeUnit(sizeBytes)
  return `${plain(sizeBytes / bytes)} ${label}`
}

/** Three figures whatever they are, for what is compared: '9.00', '0.0553', '1230'. */
const three = (value: number): string => (value >= 999.5 ? value.toFixed(0) : value.toPrecision(3))

/** Sizes to be held against each other, in one unit: '8.00 KiB', '0.00293 MiB'. */
export const sizeIn = (unit: 'KiB' | 'MiB', sizeBytes: number): string =>
  `${three(sizeBytes / (unit === 'KiB' ? 2 ** 10 : 2 ** 20))} ${unit}`

/** '33.7 TFLOP/s', '9.00 GFLOP/s'. */
export function flopRateText(gflops: number): string {
  const unit = flopRateUnit(gflops)
  return `${three(gflops / unit.gflops)} ${unit.label}`
}

/**
 * '19.6 %', '4.36 %', '99.96 %': three figures; a share that is not all is never rounded to all.
 */
export function percentText(share: number): string {
  const percent = 100 * share
  // Sums of differences: all of it may come out a rounding below.
  if (percent > 100 - 1e-6) return '100 %'
  return `${percent >= 99.95 ? String(Math.floor(100 * percent) / 100) : plain(percent)} %`
}

/** A name from a file, where a line break would begin a line of its own. */
export const oneLine = (text: string): string => text.replaceAll('\n', '\\n')
