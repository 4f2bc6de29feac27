/** Bars of parts that add up: what bars-layout says, as SVG. */
import { useId, type CSSProperties } from 'react'
import type { BarFigure, BarValue } from '../../../trace/figure'
import { tickText, type Scale } from './axes'
import { FillPatterns, fillOf } from './marks'
import { scaleLinear } from 'd3-scale'
import { LINE } from './plot-layout'

/** Where everything of a bar figure goes, in px. Pure. Bars lie, one below the other, so that their names can be read. */
const CHARACTER = 7
/** @internal */
export const BAR = 22
/** @internal From a bar's top: the baseline of its text, and its whisker below that, so that neither crosses the other. */
export const TEXT_AT = 11
/** @internal */
export const WHISKER_AT = 17
const GAP = 14
const BELOW = 44
const NARROW = 480
const SHORTEST_WHISKER = 3

/** @internal */
export function layOutBars(figure: BarFigure, width: number) {
  const namesAbove = width < NARROW
  const longest = Math.max(0, ...figure.bars.map(({ label }) => label.length * CHARACTER))
  const left = namesAbove ? 4 : Math.min(Math.ceil(longest) + 12, width * 0.4)
  const right = width - 8
  // The figure beside the longest bar needs its room too.
  const forText =
    12 + CHARACTER * Math.max(0, ...figure.bars.map(({ total }) => textOf(total, figure.axis.unit).length))
  const sums = figure.bars.map(({ parts }) =>
    Object.values(parts).reduce((sum, { value }) => sum + Math.max(0, value), 0),
  )
  const most = Math.max(
    ...sums,
    ...figure.bars.map(({ total }) => Math.max(total?.value ?? 0, total?.high ?? 0)),
    ...figure.thresholds.map(({ value }) => value),
  )
  const scale: Scale = scaleLinear([0, most > 0 ? most : 1], [left, Math.max(left + 40, right - forText)])
  const top = 4 + figure.thresholds.length * LINE + 4
  const rowHeight = BAR + GAP + (namesAbove ? LINE : 0)
  const bottom = top + figure.bars.length * rowHeight + 4
  const edge = scale(most > 0 ? most : 1)
  const cut = (value: number) => Math.max(left, Math.min(right, scale(value)))
  return {
    height: bottom + BELOW,
    left,
    right,
    top,
    bottom,
    /** Names stand above their bars where they would take too much of the width. */
    namesAbove,
    ticks: scale
      .ticks(Math.max(2, Math.floor((edge - left) / 70)))
      .map((value) => ({ at: scale(value), text: tickText(value) })),
    bars: figure.bars.map(({ label, parts, total }, index) => {
      let at = 0
      const placed = figure.parts.flatMap((part) => {
        const value = parts[part.id]
        if (!value) return []
        // A remainder may come out below nothing by its error; a bar cannot.
        const length = Math.max(0, value.value)
        const from = scale(at)
        at += length
        return [{ part, value, x: from, width: scale(at) - from }]
      })
      const end = scale(total?.value ?? at)
      const ends =
        total && total.low !== null && total.high !== null
          ? ([cut(total.low), cut(total.high)] as const)
          : null
      const whisker = ends && ends[1] - ends[0] >= SHORTEST_WHISKER ? ends : null
      return {
        label,
        top: top + index * rowHeight + GAP / 2 + (namesAbove ? LINE : 0),
        parts: placed,
        whisker,
        /** The whole, as a figure beside the bar; '' where it was not measured. */
        text: textOf(total, figure.axis.unit),
        /** The text begins at the bar's end, not at the whisker's, which would read as the value. */
        textX: 8 + Math.max(end, scale(at)),
        end,
      }
    }),
    thresholds: figure.thresholds.map(({ label, value, low, high }, index) => {
      const at = cut(value)
      return {
        label,
        at,
        band: low === null || high === null ? null : ([cut(low), cut(high)] as const),
        labelY: LINE - 2 + index * LINE,
        anchor: at + label.length * CHARACTER + 8 > right ? ('end' as const) : ('start' as const),
      }
    }),
  }
}

const textOf = (total: BarValue | null, unit: string): string =>
  total === null ? '' : [tickText(Number(total.value.toPrecision(3))), unit].filter(Boolean).join(' ')

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
