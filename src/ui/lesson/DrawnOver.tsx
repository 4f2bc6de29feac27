/** The chart of a step over the curve that was drawn of it before its run, how far off that was, and what the model says. */
import { useMemo } from 'react'
import type { Meta } from '../../experiments/catalog-of'
import type { StepCurve, StoryPlan } from '../../lessons/lesson'
import type { Modelled } from '../../model/beside/client'
import type { Curve } from '../../state/lesson-store'
import type { RunState } from '../../state/run-store'
import type { FigureSeries, ReportFigure } from '../../trace/figure'
import type { Report } from '../../trace/report'
import { drawnSeries, furthestOff, pointFigure, withLines } from '../figure/drawn'
import { Figures } from '../figure/Figures'
import { ModelledMark } from '../ModelledMark'
import { Quantities } from '../prose/Inline'
import { scoreOfTimes } from './compare-prediction'
import { curveInWords } from './expectations'
import { useModelBeside } from './use-model-beside'

/** The same series of the same chart, by the model. */
const modelledSeries = (
  meta: Meta,
  { params, derived }: Report,
  { metrics }: Modelled,
  chart: string,
  draw: StepCurve,
): readonly FigureSeries[] => {
  // A chart reads values; nothing of what it makes here is kept or taken for measured.
  const figures = meta.figures(
    metrics.map((metric) => ({ ...metric, origin: 'derived' })),
    { params, derived },
  )
  return (pointFigure(figures, chart)?.series ?? [])
    .filter(({ id, points }) => id === draw.series && points.length > 0)
    .map((series) => ({
      ...series,
      id: 'modelled',
      label: `modelled: ${series.label}`,
      hue: 'modelled',
      marks: 'line',
    }))
}

export const DrawnOver = ({
  meta,
  plan,
  draw,
  curve,
  run,
  report,
  charts,
}: {
  readonly meta: Meta
  readonly plan: StoryPlan
  readonly draw: StepCurve
  readonly curve: Curve
  readonly run: RunState
  readonly report: Report
  /** The step's chart; none where this run does not have it. */
  readonly charts: readonly ReportFigure[]
}) => {
  const model = useModelBeside(run, report, plan)
  const { answer } = model
  const measured = pointFigure(charts, charts[0]?.id)
  const label = measured?.series.find(({ id }) => id === draw.series)?.label ?? draw.series
  const modelled = useMemo(
    () =>
      measured && answer && 'modelled' in answer
        ? modelledSeries(meta, report, answer.modelled, measured.id, draw)
        : [],
    [meta, report, answer, measured, draw],
  )
  const drawn = useMemo(
    () =>
      measured
        ? [withLines(measured, [...modelled, drawnSeries(curve, measured, `you drew: ${label}`)])]
        : [],
    [measured, modelled, curve, label],
  )
  const off = measured && furthestOff(curve, measured, draw.series)
  // Where the lesson fits a model of its own to the points, the chart has it.
  const isModelled = measured?.series.some(({ marks }) => marks === 'line') === true
  return (
    <div className="drawn-over modelled stack-12">
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
      {measured && !isModelled && (
        <p role="status" className="small no-print">
          <ModelledMark />{' '}
          {model.asked === null ? (
            <button
              type="button"
              className="button button-small"
              aria-disabled={model.isMeasured}
              onClick={() => {
                model.ask('own')
              }}
            >
              Lay the model’s curve over it
            </button>
          ) : answer === null ? (
            'The model runs.'
          ) : 'why' in answer ? (
            answer.why
          ) : modelled.length > 0 ? (
            `The dashed line is what the model says of this run. The card: ${answer.modelled.source}.`
          ) : (
            'The model says nothing of this curve.'
          )}
        </p>
      )}
    </div>
  )
}
