/** A figure as a bar from zero, with its interval; beside a text that says it. */
import type { CSSProperties } from 'react'
import type { Metric } from '../../trace/report'
import './bar.css'

interface BarProps extends Pick<Metric, 'low' | 'high'> {
  readonly value: number
  /** In the unit of the value: what the whole width stands for. */
  readonly most: number
  readonly isPredicted?: boolean
  /** Sets --hue. */
  readonly style?: CSSProperties
}

const USUAL = { '--hue': 'var(--text-2)' } as CSSProperties

export const Bar = ({ value, low, high, most, isPredicted, style = USUAL }: BarProps) => {
  const percent = (of: number) => `${String(Math.max(0, (100 * of) / most))}%`
  return (
    <svg
      className="bar"
      data-predicted={isPredicted || undefined}
      aria-hidden="true"
      width="100%"
      height="12"
    >
      <rect className="bar-ground" width="100%" height="100%" />
      <rect className="bar-length" style={style} width={percent(value)} height="100%" />
      {low !== null && high !== null && high > low && (
        <line className="bar-interval" x1={percent(low)} x2={percent(high)} y1="50%" y2="50%" />
      )}
    </svg>
  )
}
