/** Bars of parts that add up: what bars-layout says, as SVG. */
import { useId, type CSSProperties } from 'react'
import type { BarFigure } from '../../../trace/figure'
import { tickText } from './axes'
import { BAR, layOutBars, TEXT_AT, WHISKER_AT } from './bars-layout'
import { FillPatterns, fillOf } from './marks'

const whiskerPath = ([from, to]: readonly [number, number], y: number): string =>
  `M${String(from)} ${String(y)}H${String(to)}M${String(from)} ${String(y - 4)}v8M${String(to)} ${String(y - 4)}v8`

interface BarChartProps {
  readonly figure: BarFigure
  readonly width: number
  readonly label: string
}

export const BarChart = ({ figure, width, label }: BarChartProps) => {
  const id = useId()
  const layout = layOutBars(figure, width)
  const { left, right, top, bottom, height, ticks, bars, thresholds, namesAbove } = layout
  const { label: axisName, unit } = figure.axis
  return (
    <svg
      className="figure-svg"
      viewBox={`0 0 ${String(width)} ${String(height)}`}
      role="img"
      aria-label={label}
    >
      <FillPatterns owner={id} />
      {thresholds.map(({ label: name, band }) =>
        band === null || band[1] - band[0] < 1 ? null : (
          <rect
            key={name}
            className="figure-band"
            x={band[0]}
            width={band[1] - band[0]}
            y={top}
            height={bottom - top}
          />
        ),
      )}
      {ticks.map(({ at, text }) => (
        <g key={at}>
          <line className="figure-grid" x1={at} x2={at} y1={top} y2={bottom} />
          <text
            className="figure-tick"
            x={at}
            y={bottom + 18}
            textAnchor={at <= left + 4 ? 'start' : 'middle'}
          >
            {text}
          </text>
        </g>
      ))}
      <line className="figure-axis" x1={left} x2={left} y1={top} y2={bottom} />
      {bars.map((bar) => (
        <g key={bar.label}>
          {namesAbove ? (
            <text className="figure-bar-name" x={left} y={bar.top - 5}>
              {bar.label}
            </text>
          ) : (
            <text className="figure-bar-name" x={left - 10} y={bar.top + BAR / 2 + 4} textAnchor="end">
              {bar.label}
            </text>
          )}
          {bar.parts.map(({ part, value, x, width: length }) => (
            <rect
              key={part.id}
              className="figure-part"
              style={{ '--hue': `var(--${part.hue})` } as CSSProperties}
              x={x}
              y={bar.top}
              width={Math.max(0, length)}
              height={BAR}
              fill={fillOf(id, part.hue)}
            >
              <title>{`${bar.label}, ${part.label}: ${tickText(value.value)} ${unit}`}</title>
            </rect>
          ))}
          {bar.whisker && (
            <path
              className="figure-whisker figure-whisker-total"
              d={whiskerPath(bar.whisker, bar.top + WHISKER_AT)}
            />
          )}
        </g>
      ))}
      {thresholds.map(({ label: name, at, labelY, anchor }) => (
        <g key={name}>
          <line className="figure-threshold" x1={at} x2={at} y1={labelY - 9} y2={bottom} />
          <text
            className="figure-label"
            x={anchor === 'start' ? at + 5 : at - 5}
            y={labelY}
            textAnchor={anchor}
          >
            {name}
          </text>
        </g>
      ))}
      {/* Above the thresholds' lines, which they may stand on. */}
      {bars.map((bar) => (
        <text key={bar.label} className="figure-label" x={bar.textX} y={bar.top + TEXT_AT}>
          {bar.text}
        </text>
      ))}
      <text className="figure-axis-name" x={right} y={height - 5} textAnchor="end">
        {unit === '' ? axisName : `${axisName}, ${unit}`}
      </text>
    </svg>
  )
}
