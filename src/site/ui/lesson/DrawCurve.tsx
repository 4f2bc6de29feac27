/** A curve to commit to, drawn over the empty axes of a step's chart: by a pointer or a finger, or point by point with the keys. */
import { useId, useRef, useState, type KeyboardEvent, type PointerEvent, useMemo } from 'react'
import type { StepCurve } from '../../../lessons/lesson'
import type { Curve } from '../../state/lesson-store'
import type { BlankFigure, ReportFigure } from '../../../trace/figure'
import { isPlaceable, quantityText } from '../figure/axes'
import {
  drawnSeries,
  LEAST_POINTS,
  passed,
  withValue,
  type Placed,
  furthestOff,
  pointFigure,
} from '../figure/drawn'
import { layOutPlot } from '../figure/plot-layout'
import { Axes, Series } from '../figure/PointChart'
import { useWidth } from '../figure/use-width'
import '../figure/figure.css'
import './draw-curve.css'
import type { Meta } from '../../../experiments/catalog'
import type { Report } from '../../../trace/report'
import { Figures } from '../figure/Figures'
import { Quantities } from '../prose/Inline'
import { scoreOfTimes } from './compare-prediction'
import { curveInWords } from './expectations'
import { Button } from '../Button'

interface DrawnOverProps {
  readonly meta: Meta
  readonly draw: StepCurve
  readonly curve: Curve
  readonly report: Report
  /** The step's chart; none where this run does not have it. */
  readonly charts: readonly ReportFigure[]
}

/** The chart of a step under the curve that was drawn before its run, and how far off that curve was. */
export const DrawnOver = ({ meta, draw, curve, report, charts }: DrawnOverProps) => {
  const measured = pointFigure(charts, charts[0]?.id)
  const label = measured?.series.find(({ id }) => id === draw.series)?.label ?? draw.series
  const drawn = useMemo(
    () =>
      measured
        ? [
            {
              ...measured,
              series: [...measured.series, drawnSeries(curve, measured, `you drew: ${label}`)],
            },
          ]
        : [],
    [measured, curve, label],
  )
  const off = measured && furthestOff(curve, measured, draw.series)
  return (
    <div className="drawn-over stack-12">
      <p
        className="guess-result size-3"
        data-testid="curve-result"
        data-outcome={off && report.validity.valid ? scoreOfTimes(off.times, off.isWithin) : 'undecided'}
      >
        {measured && off ? (
          <>
            Your curve of <strong>{label}</strong> <Quantities text={curveInWords(off, measured, report)} />
          </>
        ) : (
          'This run measured nothing that your curve can be held against.'
        )}
      </p>
      <Figures figures={drawn} references={meta.references} label="The chart of this step" />
    </div>
  )
}

/** Parts of the axis that a key moves a point by. */
const KEYS: Readonly<Record<string, number>> = {
  ArrowUp: 1 / 40,
  ArrowRight: 1 / 40,
  ArrowDown: -1 / 40,
  ArrowLeft: -1 / 40,
  PageUp: 1 / 8,
  PageDown: -1 / 8,
  Home: -1,
  End: 1,
}

/** Left and right of the outermost points, in parts of the axis' length. */
const AIR = 1.12

interface DrawProps {
  readonly blank: BlankFigure
  readonly ask: StepCurve
  readonly curve: Curve
  /** Several can come before the next is drawn: each changes what the last one made. */
  readonly onDraw: (change: (curve: Curve) => Curve) => void
}

const Board = ({ blank: { figure, at }, ask, curve, onDraw }: DrawProps) => {
  const { ref, width } = useWidth()
  const svg = useRef<SVGSVGElement>(null)
  const last = useRef<Placed | null>(null)
  const series = figure.series.find(({ id }) => id === ask.series)
  const name = series?.label ?? ask.series
  const drawn = { ...figure, series: [drawnSeries(curve, figure, name)] }
  const [from = 1, to = 1] = [at[0], at.at(-1)]
  const layout = layOutPlot(drawn, width, { x: [from / AIR, to * AIR], y: [ask.min, ask.max] })
  const { plot, x, y, height } = layout
  const middle = (plot.top + plot.bottom) / 2
  const handles = at.map((value) => {
    const found = curve.find(([each]) => each === value)?.[1]
    return { value, x: x(value), y: found === undefined ? middle : y(found), found }
  })
  const valueOf = (px: number): number =>
    Number(y.invert(Math.min(plot.bottom, Math.max(plot.top, px))).toPrecision(3))
  const set = (moved: readonly Placed[]) =>
    onDraw((all) =>
      moved.reduce((made, { index, y: px }) => withValue(made, at[index] ?? 0, valueOf(px)), all),
    )
  const draw = (event: PointerEvent<SVGGElement>) => {
    const box = svg.current?.getBoundingClientRect()
    if (!box || box.width === 0) return
    const [px, py] = [event.clientX - box.left, event.clientY - box.top].map(
      (each) => (each * width) / box.width,
    )
    const distances = handles.map((handle) => Math.abs(handle.x - (px ?? 0)))
    const now = { index: distances.indexOf(Math.min(...distances)), y: py ?? middle }
    set(passed(last.current, now))
    last.current = now
  }
  const end = () => {
    last.current = null
  }
  const onKeyDown = (index: number, px: number) => (event: KeyboardEvent) => {
    const part = KEYS[event.key]
    if (part === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    set([{ index, y: px - part * (plot.bottom - plot.top) }])
  }
  return (
    <div ref={ref} className="forced-keep">
      <svg
        ref={svg}
        className="figure-svg"
        viewBox={`0 0 ${String(width)} ${String(height)}`}
        role="group"
        aria-label={`${figure.title}: points to move`}
      >
        <Axes figure={drawn} layout={layout} />
        <g
          className="draw-board"
          onPointerDown={(event) => {
            if (event.button !== 0) return
            event.currentTarget.setPointerCapture(event.pointerId)
            draw(event)
          }}
          onPointerMove={(event) => {
            if (last.current !== null) draw(event)
          }}
          onPointerUp={end}
          onPointerCancel={end}
          onLostPointerCapture={end}
        >
          <rect
            data-testid="draw-board"
            x={plot.left}
            y={plot.top}
            width={plot.right - plot.left}
            height={plot.bottom - plot.top}
          />
          {layout.series.map((placed) => (
            <Series key={placed.series.id} placed={placed} />
          ))}
          {handles.map((handle, index) => {
            const value = handle.found ?? valueOf(middle)
            return (
              <g
                key={handle.value}
                className="draw-handle"
                data-set={handle.found !== undefined}
                role="slider"
                tabIndex={0}
                aria-orientation="vertical"
                aria-label={`${name}, at ${quantityText(figure.x, handle.value)}`}
                aria-valuemin={ask.min}
                aria-valuemax={ask.max}
                aria-valuenow={value}
                aria-valuetext={handle.found === undefined ? 'not drawn' : quantityText(figure.y, value)}
                transform={`translate(${String(handle.x)} ${String(handle.y)})`}
                onKeyDown={onKeyDown(index, handle.y)}
              >
                <circle className="draw-reach" r="12" />
                <circle className="draw-dot" r="5" />
              </g>
            )
          })}
        </g>
      </svg>
    </div>
  )
}

/** Running with nothing drawn skips it. */
export const DrawCurve = (props: DrawProps) => {
  const { blank, ask, curve, onDraw } = props
  const [isOpen, setIsOpen] = useState(true)
  const board = useId()
  const { figure, at } = blank
  const series = figure.series.find(({ id }) => id === ask.series)
  if (![ask.min, ask.max].every((end) => isPlaceable(figure.y, end)) || !series) return null
  return (
    <fieldset
      className="draw-curve stack-8"
      data-testid="draw-curve"
      data-drawn={curve.length >= LEAST_POINTS}
    >
      <legend>
        Before you run, draw this curve: <em>{series.label}</em>
      </legend>
      <div className="button-row">
        <Button
          look="small"
          label={isOpen ? 'Draw nothing' : 'Draw it after all'}
          aria-expanded={isOpen}
          aria-controls={board}
          onClick={() => {
            onDraw(() => [])
            setIsOpen(!isOpen)
          }}
        />
        {curve.length > 0 && (
          <Button look="small-plain" label="Begin again" onClick={() => onDraw(() => [])} />
        )}
        <span className="small quiet">
          {curve.length > 0 && `${String(curve.length)} of ${String(at.length)} points drawn.`}
        </span>
      </div>
      <div id={board} className="stack-8" hidden={!isOpen}>
        <p className="small quiet">
          Draw across the chart with a pointer or a finger, or move its points by the arrow keys.
        </p>
        {isOpen && <Board {...props} />}
      </div>
    </fieldset>
  )
}
