/** The chart of a step under the curve that was drawn before its run, and how far off that curve was. */
import { useMemo } from 'react'
import type { Meta } from '../../../experiments/catalog'
import type { StepCurve } from '../../../lessons/lesson'
import type { Curve } from '../../state/lesson-store'
import type { ReportFigure } from '../../../trace/figure'
import type { Report } from '../../../trace/report'
import { drawnSeries, furthestOff, pointFigure } from '../figure/drawn'
import { Figures } from '../figure/Figures'
import { Quantities } from '../prose/Inline'
import { scoreOfTimes } from './compare-prediction'
import { curveInWords } from './expectations'

export const DrawnOver = ({
  meta,
  draw,
  curve,
  report,
  charts,
}: {
  readonly meta: Meta
  readonly draw: StepCurve
  readonly curve: Curve
  readonly report: Report
  /** The step's chart; none where this run does not have it. */
  readonly charts: readonly ReportFigure[]
}) => {
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
