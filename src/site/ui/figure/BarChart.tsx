/**
 * Bars of parts that add up, one below the other on one scale, each with its whole as a figure;
 * thresholds are in outline below them.
 */
import type { CSSProperties } from 'react'
import type { BarFigure, BarValue } from '../../../trace/figure'
import { tickText } from './axes'

interface Row {
  readonly label: string
  readonly parts: readonly (BarFigure['parts'][number] & { readonly value: number })[]
  readonly total: BarValue | null
}

/** A remainder may come out below nothing by its error; a bar cannot. */
const rowOf =
  (parts: BarFigure['parts']) =>
  ({ label, parts: own, total }: BarFigure['bars'][number]): Row => ({
    label,
    parts: parts.flatMap((part) => {
      const of = own[part.id]
      return of ? [{ ...part, value: Math.max(0, of.value) }] : []
    }),
    total,
  })

const mostOf = ({ parts, total }: Row): number =>
  Math.max(
    parts.reduce((sum, { value }) => sum + value, 0),
    total?.value ?? 0,
    total?.high ?? 0,
  )

interface BarChartProps {
  readonly figure: BarFigure
  readonly label: string
}

export const BarChart = ({ figure: { parts, bars, thresholds, axis }, label }: BarChartProps) => {
  const rows = [
    ...bars.map(rowOf(parts)),
    ...thresholds.map(({ label: name, ...total }): Row => ({ label: name, parts: [], total })),
  ]
  const most = Math.max(...rows.map(mostOf))
  const percent = (value: number) => `${String(most > 0 ? (100 * value) / most : 0)}%`
  const say = (value: number) => [tickText(Number(value.toPrecision(3))), axis.unit].filter(Boolean).join(' ')
  return (
    <div className="figure-bars small" role="img" aria-label={label}>
      {rows.map(({ label: name, parts: drawn, total }) => (
        <div key={name} className="figure-bar">
          <span>{name}</span>
          <div>
            {drawn.map(({ id, label: part, hue, value }) => (
              <span
                key={id}
                className="figure-part"
                data-hue={hue}
                style={{ '--hue': `var(--${hue})`, inlineSize: percent(value) } as CSSProperties}
                title={`${name}, ${part}: ${say(value)}`}
              />
            ))}
            {drawn.length === 0 && total && (
              <span className="figure-limit" style={{ inlineSize: percent(total.value) }} />
            )}
            {total && total.low !== null && total.high !== null && (
              <span
                className="figure-bar-whisker"
                style={{ insetInlineStart: percent(total.low), inlineSize: percent(total.high - total.low) }}
              />
            )}
          </div>
          <span className="number">{total && say(total.value)}</span>
        </div>
      ))}
    </div>
  )
}
