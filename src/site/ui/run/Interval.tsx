import type { Metric } from '../../../trace/report'

/** Value and interval on a common scale from zero to `most`. */
export const Interval = ({
  metric: { value, low, high },
  most,
  isPredicted = false,
}: {
  readonly metric: Metric
  readonly most: number
  readonly isPredicted?: boolean
}) => {
  if (value === null || most <= 0) return null
  const at = (x: number) => `${String(Math.max(0, Math.min(100, (100 * x) / most)))}%`
  return (
    <div className="interval forced-keep" aria-hidden="true">
      <div
        className={isPredicted ? 'interval-bar interval-predicted' : 'interval-bar'}
        style={{ inlineSize: at(value) }}
      />
      {low !== null && high !== null && (
        <div className="interval-whisker" style={{ insetInlineStart: at(low), inlineSize: at(high - low) }} />
      )}
      <div className="interval-value" style={{ insetInlineStart: at(value) }} />
    </div>
  )
}
