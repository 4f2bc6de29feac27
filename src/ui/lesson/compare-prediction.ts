/** Prediction against measurement, in words. Pure: both in the slider's unit. */
import type { Prediction } from '../../lessons/lesson'
import type { Metric } from '../../trace/report'
import { formatTimes } from '../format'

export interface Measured {
  readonly value: number
  readonly low: number
  readonly high: number
}

/** The metric in the slider's unit; null where it was not measured. */
export function inSliderUnit(
  metric: Metric | undefined,
  { scale }: Pick<Prediction, 'scale'>,
): Measured | null {
  if (!metric || metric.value === null || !Number.isFinite(metric.value)) return null
  const low = metric.low ?? metric.value
  const high = metric.high ?? metric.value
  return { value: metric.value * scale, low: low * scale, high: high * scale }
}

/** Within half a slider step of the interval counts as right: the slider could not say it better. */
export const isRight = (predicted: number, { low, high }: Measured, step: number): boolean =>
  predicted >= low - step / 2 && predicted <= high + step / 2

/** 'Your prediction was 8.8 times what was measured.' */
export function gapInWords(
  predicted: number,
  measured: Measured,
  { step }: Pick<Prediction, 'step'>,
): string {
  if (isRight(predicted, measured, step)) return 'Your prediction lies within the measured interval.'
  const { value } = measured
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

/** The axis holds the slider's range, and the measurement where that lies outside it. */
export function axisOf(
  { min, max }: Pick<Prediction, 'min' | 'max'>,
  measured: Measured,
): readonly [number, number] {
  const most = Math.max(max, measured.high)
  return [Math.min(min, measured.low), most > max ? most * 1.05 : most]
}
