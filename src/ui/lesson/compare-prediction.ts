/** Prediction against measurement, in words. Pure: both in the slider's unit. */
import type { Asked } from '../../lessons/lesson'
import type { Metric, Report } from '../../trace/report'
import { formatNumber, formatTimes } from '../format'

export interface Measured {
  readonly value: number
  readonly low: number
  readonly high: number
}

/** The metric in the slider's unit; null where it was not measured. */
export function inSliderUnit(metric: Metric | undefined, { scale }: Pick<Asked, 'scale'>): Measured | null {
  if (!metric || metric.value === null || !Number.isFinite(metric.value)) return null
  const low = metric.low ?? metric.value
  const high = metric.high ?? metric.value
  return { value: metric.value * scale, low: low * scale, high: high * scale }
}

/** Within half a slider step of the interval counts as right: the slider could not say it better. */
const isRight = (
  predicted: number,
  { low, high }: Measured,
  { step, doublings = false }: Pick<Asked, 'step' | 'doublings'>,
): boolean =>
  doublings
    ? predicted >= low / 2 ** (step / 2) && predicted <= high * 2 ** (step / 2)
    : predicted >= low - step / 2 && predicted <= high + step / 2

/** Of the slider's length, what an interval takes. */
const shareOfSlider = (
  { low, high }: Measured,
  { min, max, doublings = false }: Pick<Asked, 'min' | 'max' | 'doublings'>,
): number =>
  doublings ? Math.log2(high / Math.max(low, min)) / Math.log2(max / min) : (high - low) / (max - min)

/** Within an interval wider than this share of the slider nearly every guess would be right. */
const MOST_OF_SLIDER = 0.25

/** The gap, where the run decided anything to hold a prediction against. */
export function scoreInWords(
  predicted: number,
  measured: Measured,
  asked: Pick<Asked, 'step' | 'unit' | 'min' | 'max' | 'doublings'>,
  { verdict, validity }: Pick<Report, 'verdict' | 'validity'>,
): string {
  if (!validity.valid) return 'The run does not count, so your prediction is not scored.'
  if (verdict.outcome === 'inconclusive')
    return 'The run allows no conclusion, so your prediction is not scored.'
  if (shareOfSlider(measured, asked) <= MOST_OF_SLIDER) return gapInWords(predicted, measured, asked)
  if (isRight(predicted, measured, asked)) return 'The repeats differ too much to score your prediction.'
  // That much is known, though not by how much.
  return `The repeats differ much, but your prediction lies ${predicted < measured.low ? 'below' : 'above'} what was measured.`
}

/** 'You predicted 8.8 times what was measured.' Of two percentages: how many points lie between them. */
export function gapInWords(
  predicted: number,
  measured: Measured,
  { unit, ...slider }: Pick<Asked, 'step' | 'unit' | 'doublings'>,
): string {
  if (isRight(predicted, measured, slider)) return 'Your prediction lies within the measured interval.'
  const { value } = measured
  if (unit === '%') {
    const points = formatNumber(Math.max(1, Math.round(Math.abs(predicted - value))))
    return `You predicted ${points} ${points === '1' ? 'point' : 'points'} ${predicted > value ? 'more' : 'less'}.`
  }
  if (predicted <= 0 || value <= 0) {
    return predicted < value
      ? 'You predicted less than was measured.'
      : 'You predicted more than was measured.'
  }
  const ratio = predicted / value
  if (ratio >= 1.05) return `You predicted ${formatTimes(ratio)} what was measured.`
  if (ratio <= 1 / 1.05) return `What was measured is ${formatTimes(1 / ratio)} what you predicted.`
  return 'You were within 5 % of what was measured.'
}

/** The axis holds the slider's range, and the measurement where that lies outside it; what is added ends on a round number. */
export function axisOf(
  { min, max, doublings = false }: Pick<Asked, 'min' | 'max' | 'doublings'>,
  { low, high }: Omit<Measured, 'value'> & Partial<Measured>,
): readonly [number, number] {
  if (doublings)
    return [
      low > 0 ? Math.min(min, 2 ** Math.floor(Math.log2(low))) : min,
      Math.max(max, 2 ** Math.ceil(Math.log2(high))),
    ]
  const length = Math.max(max, high) - Math.min(min, low)
  const from = low < min ? -roundUp(-low, length) : min
  return [from, high > max ? roundUp(high, length) : max]
}

/** The next number upwards of 1, 2 or 5 times a power of ten, in steps of about a tenth of the axis. */
function roundUp(value: number, length: number): number {
  const power = 10 ** Math.floor(Math.log10(length / 10))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= length / 10) ?? power
  return Number((Math.ceil(value / step) * step).toPrecision(12))
}
