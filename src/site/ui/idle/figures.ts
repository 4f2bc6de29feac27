/** Figures of idle time and of predictions as text. Lengths come from ticks of the device's clock; shares are of a whole that is given. */
import type { Metric } from '../../../trace/report'
import { formatFigures, pickUnit, withUnit } from '../format'

/** '88 %', '0.4 %', 'under 0.1 %': no share that exists reads as none. */
export function shareText(share: number): string {
  if (!Number.isFinite(share)) return ''
  if (share > 0 && share < 0.001) return `under ${withUnit('0.1', '%')}`
  return withUnit(String(Number((share * 100).toPrecision(share < 0.01 ? 1 : 2))), '%')
}

export function timeText(timeNs: number): string {
  const { label, scale } = pickUnit('ns', timeNs)
  return withUnit(formatFigures(timeNs * scale), label)
}

export interface FigureText {
  readonly figure: string
  /** '7.53 to 19.5', in the unit of the figure; '' where there is no interval, or no width to it. */
  readonly range: string
}

/** Three figures of each: where an interval is far from even, its ends are bounds of their own, not a spread round the middle. */
export function threeFigures(
  { value, low, high, unit }: Metric,
  magnitude = Math.max(value ?? 0, high ?? 0),
): FigureText {
  const { label, scale } = pickUnit(unit, magnitude)
  const write = (x: number | null) => (x === null ? '' : formatFigures(x * scale))
  const hasRange = low !== null && high !== null && low < high
  return {
    figure: withUnit(write(value), label),
    range: hasRange ? `${write(low)} to ${write(high)}` : '',
  }
}
