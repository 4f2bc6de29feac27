/** Prediction against measurement, in words. Pure: both in the slider's unit. */
import { scaleLinear, scaleLog } from 'd3-scale'
import type { Asked, SliderOf } from '../../../lessons/lesson'
import type { Metric, Report } from '../../../trace/report'
import { formatCount, formatFigures, withUnit } from '../format'

export interface Measured {
  readonly value: number
  readonly low: number
  readonly high: number
}

/** The metric in the slider's unit; null where it was not measured. */
export function inSliderUnit(
  metric: Pick<Metric, 'value' | 'low' | 'high'> | undefined,
  { scale }: Pick<Asked, 'scale'>,
): Measured | null {
  if (!metric || metric.value === null || !Number.isFinite(metric.value)) return null
  const low = metric.low ?? metric.value
  const high = metric.high ?? metric.value
  return { value: metric.value * scale, low: low * scale, high: high * scale }
}

const isWithin = (predicted: number, { low, high }: Measured): boolean =>
  predicted >= low && predicted <= high

/** Within the interval, or as near to the measured value as the slider could say. */
const isRight = (
  predicted: number,
  measured: Measured,
  { step, doublings = false }: Pick<Asked, 'step' | 'doublings'>,
): boolean =>
  isWithin(predicted, measured) ||
  (doublings
    ? Math.abs(Math.log2(predicted / measured.value)) <= step / 2
    : Math.abs(predicted - measured.value) <= step / 2)

/** Of the slider's length, what an interval takes. */
const shareOfSlider = (
  { low, high }: Measured,
  { min, max, doublings = false }: Pick<Asked, 'min' | 'max' | 'doublings'>,
): number =>
  doublings ? Math.log2(high / Math.max(low, min)) / Math.log2(max / min) : (high - low) / (max - min)

/** Within an interval wider than this share of the slider nearly every guess would be right. */
const MOST_OF_SLIDER = 0.25

/** A prediction nearer than this factor can't be called right, and a number would say too much. */
const NEAR_FACTOR = 1.05

/**
 * A sentence; null where the run decides.
 * @param where to follow 'your prediction is not scored': ' for this browser'
 */
function undecidedWhy(
  predicted: number,
  measured: Measured,
  asked: Omit<SliderOf, 'scale'>,
  { verdict, validity }: Pick<Report, 'verdict' | 'validity'>,
  where = '',
): string | null {
  if (!validity.valid) return `The run does not count, so your prediction is not scored${where}.`
  if (verdict.outcome === 'inconclusive')
    return `The run allows no conclusion, so your prediction is not scored${where}.`
  if (shareOfSlider(measured, asked) <= MOST_OF_SLIDER) return null
  const { low, high } = measured
  const interval = `The measured interval, ${withUnit(`${formatFigures(low)} to ${formatFigures(high)}`, asked.unit)}, is`
  if (isRight(predicted, measured, asked)) return `${interval} too wide to score your prediction${where}.`
  // That much is known, though not by how much.
  return `${interval} wide, but your prediction lies ${predicted < low ? 'below' : 'above'} it.`
}

/**
 * The worlds of a lesson: PyTorch's recorded figure on the slider's scale, and the browser in which
 * the run was made.
 */
export interface Worlds {
  /** Null: there is none, or it is of another scale. */
  readonly pytorch: number | null
  /** Of BROWSER_OF. */
  readonly browser: string
}

/**
 * The gap, where the run decided anything to hold a prediction against. With a figure of PyTorch,
 * in both worlds: 'Right for PyTorch, 3 times too high for this browser.' That figure is a
 * recording's: no run makes it undecided.
 *
 * @param measured null: this run has no such figure
 */
export function scoreInWords(
  predicted: number,
  measured: Measured | null,
  asked: Omit<SliderOf, 'scale'>,
  run: Pick<Report, 'verdict' | 'validity'>,
  { pytorch, browser }: Worlds = { pytorch: null, browser: '' },
): string {
  if (pytorch === null)
    return measured === null
      ? ''
      : (undecidedWhy(predicted, measured, asked, run) ?? gapInWords(predicted, measured, asked))
  const there = gapWords(predicted, { value: pytorch, low: pytorch, high: pytorch }, asked)
  if (measured === null) return sentence(`${there} for PyTorch`)
  const why = undecidedWhy(predicted, measured, asked, run, ` for ${browser}`)
  if (why !== null) return `${sentence(`${there} for PyTorch`)} ${why}`
  const here = gapWords(predicted, measured, asked)
  return sentence(
    here === there
      ? `${here} for PyTorch and for ${browser}`
      : `${there} for PyTorch, ${here} for ${browser}`,
  )
}

export const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`

/** To stand before 'for PyTorch': '8.8 times too high'; of two percentages '3 points too low'. */
function gapWords(
  predicted: number,
  measured: Measured,
  { unit, ...slider }: Pick<Asked, 'step' | 'unit' | 'doublings'>,
): string {
  if (isRight(predicted, measured, slider)) return 'right'
  const { value } = measured
  const side = predicted > value ? 'too high' : 'too low'
  if (unit === '%')
    return `${formatCount(Math.max(1, Math.round(Math.abs(predicted - value))), 'point')} ${side}`
  // No factor compares figures of two signs.
  if (predicted <= 0 || value <= 0) return side
  const times = Math.max(predicted / value, value / predicted)
  if (times < NEAR_FACTOR) return 'nearly right'
  return `${Number(times.toPrecision(2)).toLocaleString('en')} times ${side}`
}

/** 'Right.' */
export const gapInWords = (...of: Parameters<typeof gapWords>): string => sentence(gapWords(...of))

/**
 * Its domain holds the slider's range, and the measurement where that lies outside it; what is
 * added ends on a round number.
 */
export function axisOf(
  { min, max, doublings = false }: Pick<Asked, 'min' | 'max' | 'doublings'>,
  { low, high }: Omit<Measured, 'value'> & Partial<Measured>,
) {
  // On a logarithmic axis there is no place for nothing.
  const least = doublings && low <= 0 ? min : Math.min(min, low)
  const axis = (doublings ? scaleLog().base(2) : scaleLinear()).domain([least, Math.max(max, high)])
  const [from = min, to = max] = axis.copy().nice().domain()
  return axis.domain([least < min ? from : min, high > max ? to : max])
}
