/** Points and lines over two axes: what plot-layout says, as SVG. */
import type { CSSProperties } from 'react'
import type { Figure, FigurePoint, FigureSeries } from '../../../trace/figure'
import { isSize, tickText } from './axes'
import {
  hasPoints,
  layOutPlot,
  LINE,
  type PlacedLabel,
  type PlacedSeries,
  type PlotLayout,
} from './plot-layout'

/**
 * Each series of points has a shape of its own, around (0, 0), of about equal area; a series after
 * the fourth begins again with the first.
 */
const SHAPES = [
  'M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z',
  'M0 -5.8 5.8 0 0 5.8 -5.8 0z',
  'M-4.1 -4.1h8.2v8.2h-8.2z',
  'M0 -5.6 5.4 3.9 -5.4 3.9z',
] as const

const shapeOf = (series: number): string => SHAPES[series % SHAPES.length] ?? SHAPES[0]

/** Lines of one figure differ in their dashes too; a line that joins measured points is whole. */
const dashOf = (marks: FigureSeries['marks']): string | undefined => (marks === 'line' ? '7 4' : undefined)

const hueStyle = (hue: string) => ({ '--hue': `var(--${hue})` }) as CSSProperties

const Label = ({ label }: { readonly label: PlacedLabel }) => (
  <>
    {label.leader && (
      <line
        className="figure-leader"
        x1={label.leader[0]}
        y1={label.leader[1]}
        x2={label.leader[2]}
        y2={label.leader[3]}
      />
    )}
    <text className="figure-label" x={label.x} y={label.y} textAnchor={label.anchor}>
      {label.text}
    </text>
  </>
)

const Axes = ({ figure, layout }: { readonly figure: Figure; readonly layout: PlotLayout }) => {
  const { plot, xTicks, yTicks, width, height } = layout
  const named = (axis: Figure['x']) =>
    axis.unit === '' || isSize(axis) ? axis.label : `${axis.label}, ${axis.unit}`
  return (
    <>
      {yTicks.map(({ at, text }) => (
        <g key={at}>
          <line
            className={text === '' ? 'figure-grid figure-grid-minor' : 'figure-grid'}
            x1={plot.left}
            x2={plot.right}
            y1={at}
            y2={at}
          />
          <text className="figure-tick" x={plot.left - 8} y={at + 4} textAnchor="end">
            {text}
          </text>
        </g>
      ))}
      {xTicks.map(({ at, text }) => (
        <g key={at}>
          <line
            className="figure-axis"
            x1={at}
            x2={at}
            y1={plot.bottom}
            y2={plot.bottom + (text === '' ? 3 : 5)}
          />
          <text
            className="figure-tick"
            x={at}
            y={plot.bottom + 19}
            textAnchor={at > width - 20 ? 'end' : 'middle'}
          >
            {text}
          </text>
        </g>
      ))}
      <line className="figure-axis" x1={plot.left} x2={plot.right} y1={plot.bottom} y2={plot.bottom} />
      <text className="figure-axis-name" x={0} y={LINE - 3}>
        {named(figure.y)}
      </text>
      <text className="figure-axis-name" x={plot.right} y={height - 5} textAnchor="end">
        {named(figure.x)}
      </text>
    </>
  )
}

const titleOf = (series: string, { label, x, y, low, high }: FigurePoint): string => {
  const interval = low === null || high === null ? '' : ` (${tickText(low)} to ${tickText(high)})`
  return `${[series, label].filter(Boolean).join(', ')}: ${tickText(x)}, ${tickText(y)}${interval}`
}

const Series = ({ placed }: { readonly placed: PlacedSeries }) => {
  const { series, points, path, band, index } = placed
  const dash = dashOf(series.marks)
  return (
    <g style={hueStyle(series.hue)} data-marks={series.marks}>
      {band !== '' && <path className="figure-line-band" d={band} />}
      {path !== '' && <path className="figure-line" d={path} strokeDasharray={dash} />}
      {hasPoints(series) &&
        points.map(({ point, x, y, whisker }) => (
          <g key={`${point.label} ${String(point.x)}`}>
            <title>{titleOf(series.label, point)}</title>
            {whisker && (
              <path
                className="figure-whisker"
                d={`M${String(x)} ${String(whisker[0])}V${String(whisker[1])}M${String(x - 4)} ${String(whisker[0])}h8M${String(x - 4)} ${String(whisker[1])}h8`}
              />
            )}
            <path
              className="figure-point"
              d={shapeOf(index)}
              transform={`translate(${String(x)} ${String(y)})`}
            />
          </g>
        ))}
    </g>
  )
}

interface PointChartProps {
  readonly figure: Figure
  readonly width: number
  readonly label: string
}

export const PointChart = ({ figure, width, label }: PointChartProps) => {
  const layout = layOutPlot(figure, width)
  const { plot, height, thresholds } = layout
  return (
    <svg
      className="figure-svg"
      viewBox={`0 0 ${String(width)} ${String(height)}`}
      role="img"
      aria-label={label}
    >
      {thresholds.map(({ band, threshold }) =>
        band === null || band[1] - band[0] < 1 ? null : (
          <rect
            key={threshold.label}
            className="figure-band"
            x={band[0]}
            width={band[1] - band[0]}
            y={plot.top}
            height={plot.bottom - plot.top}
          />
        ),
      )}
      <Axes figure={figure} layout={layout} />
      {thresholds.map(({ at, threshold: { label: name } }) => (
        <line key={name} className="figure-threshold" x1={at} x2={at} y1={plot.top} y2={plot.bottom} />
      ))}
      {layout.series.map((placed) => (
        <Series key={placed.series.id} placed={placed} />
      ))}
      {[...layout.labels, ...thresholds.map((each) => each.label)].map((each) => (
        <Label key={`${each.text} ${String(each.x)} ${String(each.y)}`} label={each} />
      ))}
    </svg>
  )
}

interface SeriesSwatchProps {
  readonly placed: Figure['series'][number]
  readonly index: number
}

/** A series as its line in the legend shows it. */
export const SeriesSwatch = ({ placed: { marks, hue }, index }: SeriesSwatchProps) => {
  const dash = dashOf(marks)
  return (
    <svg
      className="figure-swatch"
      data-marks={marks}
      width="26"
      height="14"
      viewBox="0 0 26 14"
      aria-hidden="true"
      style={hueStyle(hue)}
    >
      {marks !== 'points' && <path className="figure-line" d="M1 7h24" strokeDasharray={dash} />}
      {hasPoints({ marks }) && (
        <path className="figure-point" d={shapeOf(index)} transform="translate(13 7)" />
      )}
    </svg>
  )
}
