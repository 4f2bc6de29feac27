/** What you said beside what was measured, on one axis, to scale, with the interval. */
import type { Asked } from '../../lessons/lesson'
import type { Prediction } from '../../state/lesson-store'
import { findMetric, type Report } from '../../trace/report'
import { formatMetric, formatNumber, whyNotMeasured, withUnit } from '../format'
import { axisOf, inSliderUnit, scoreInWords } from './compare-prediction'

export interface PredictionResultProps {
  readonly asked: Asked
  readonly prediction: Prediction
  readonly report: Report
  readonly recorded: boolean
  /** Labels of the parameters in which this run differs from the one that was predicted. */
  readonly changed: readonly string[]
}

export const PredictionResult = ({ asked, prediction, report, recorded, changed }: PredictionResultProps) => {
  const metric = findMetric(report.metrics, asked.metric.name, asked.metric.variant)
  const measured = inSliderUnit(metric, asked)
  if (!measured)
    return (
      <p className="small quiet" data-testid="prediction-result">
        {asked.metric.name} of {asked.metric.variant}: {whyNotMeasured(metric)}.
      </p>
    )
  const [from, to] = axisOf(asked, measured)
  const at = (value: number) => `${String((100 * (value - from)) / (to - from))}%`
  const said = prediction.kind === 'made' ? prediction.value : null
  return (
    <figure className="versus" data-testid="prediction-result">
      <figcaption className="versus-words">
        {said === null ? (
          <>You skipped the prediction.</>
        ) : (
          <>
            You said <strong className="number">{withUnit(formatNumber(said), asked.unit)}</strong>.
          </>
        )}{' '}
        {recorded ? 'The recorded machine measured' : 'Measured'}{' '}
        <strong className="number">{formatMetric(metric)}</strong>.{' '}
        {said !== null && scoreInWords(said, measured, asked, report)}
        {changed.length > 0 && (
          <span className="quiet">
            {' '}
            This run differs from the one in the question in: {changed.join(', ')}.
          </span>
        )}
      </figcaption>
      <div className="versus-axis forced-keep" aria-hidden="true">
        <div className="versus-measured" style={{ inlineSize: at(measured.value) }} />
        <div
          className="versus-interval"
          style={{
            insetInlineStart: at(measured.low),
            inlineSize: `calc(${at(measured.high)} - ${at(measured.low)})`,
          }}
        />
        {said !== null && (
          <>
            <div
              className="versus-gap"
              style={{
                insetInlineStart: at(Math.min(said, measured.value)),
                inlineSize: `calc(${at(Math.max(said, measured.value))} - ${at(Math.min(said, measured.value))})`,
              }}
            />
            <div className="versus-said" style={{ insetInlineStart: at(said) }}>
              <span>you</span>
            </div>
          </>
        )}
      </div>
      <div className="versus-ends small quiet" aria-hidden="true">
        <span>{withUnit(formatNumber(from), asked.unit)}</span>
        <span>{withUnit(formatNumber(Math.round(to)), asked.unit)}</span>
      </div>
    </figure>
  )
}
