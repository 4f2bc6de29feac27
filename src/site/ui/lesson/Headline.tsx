/** One number, huge: what was measured, what was predicted, and what PyTorch's recorded twin did; on one axis, to scale. */
import type { Asked, PyTorchFigure } from '../../../lessons/lesson'
import type { Prediction } from '../../state/lesson-store'
import type { RunInfo } from '../../../trace/schema'
import { findMetric, type Report } from '../../../trace/report'
import { formatDate, formatMetric, formatNumber, metricText, reasonNotMeasured, withUnit } from '../format'
import { Inline, Quantities } from '../prose/Inline'
import { originInWords } from '../run-words'
import { BROWSER_OF, inSliderUnit, scoreInWords, sentence } from './compare-prediction'
import { Scale, shortFigure } from './Scale'
import { SCREEN_START } from './use-screen-focus'

const TwinWords = ({ twin }: { readonly twin: PyTorchFigure }) => (
  <p className="headline-side stack small" data-testid="twin">
    <strong className="number">{twin.text}</strong>
    <span>
      <Inline text={twin.words} />
    </span>
    <small className="quiet">Recorded on {originInWords(twin.origin)}</small>
  </p>
)

export const Headline = ({
  asked,
  prediction,
  origin,
  report,
  changed,
}: {
  readonly asked: Asked
  readonly prediction: Prediction | null
  readonly origin: RunInfo['origin']
  /** Of a result that someone sent there is no more. */
  readonly report: Pick<Report, 'metrics' | 'verdict' | 'validity' | 'startedAt'> & {
    readonly environment: Pick<Report['environment'], 'adapterName'>
  }
  /** Labels of the parameters in which this run differs from the one that was predicted. */
  readonly changed: readonly string[]
}) => {
  const twin = asked.pytorch
  const metric = findMetric(report.metrics, asked.metric.name, asked.metric.variant)
  const measured = inSliderUnit(metric, asked)
  const text = metric ? metricText(metric) : null
  const said = prediction?.kind === 'made' ? prediction.value : null
  return (
    <section
      className="headline stack"
      aria-label="What was measured"
      data-testid="headline"
      {...SCREEN_START}
    >
      <div className="headline-main row">
        <p className="headline-number baseline row" data-testid="headline-number">
          {text === null || measured === null ? (
            <span className="headline-none">not measured</span>
          ) : (
            <>
              <strong className="number">{shortFigure(text.figure, asked)}</strong>
              <span>{text.unit}</span>
            </>
          )}
        </p>
        <p className="headline-words stack-4">
          <span>{text === null ? sentence(reasonNotMeasured(metric)) : <Inline text={asked.result} />}</span>
          <small className="quiet">
            {origin === 'recorded' ? 'Recorded' : text === null ? 'Run' : 'Measured'} on{' '}
            {report.environment.adapterName}
            {origin !== 'live' && `, ${formatDate(report.startedAt)}`}
            {metric && text ? <Quantities text={`: ${formatMetric(metric)}`} /> : null}
            {text !== null &&
              report.verdict.outcome === 'inconclusive' &&
              '. The run allows no conclusion from it'}
            {changed.length > 0 && `. Not the run of the question. It differs in: ${changed.join(', ')}.`}
          </small>
        </p>
      </div>
      {said !== null && (
        <p className="headline-side stack small" data-testid="prediction-result">
          <strong className="number">{withUnit(formatNumber(said), asked.unit)}</strong>
          <span>
            you said.{' '}
            {scoreInWords(said, measured, asked, report, {
              pytorch: twin?.onScale ?? null,
              browser: BROWSER_OF[origin],
            })}
          </span>
        </p>
      )}
      {twin && <TwinWords twin={twin} />}
      {measured !== null && (
        <Scale asked={asked} measured={measured} said={said} twin={twin?.onScale ?? null} />
      )}
    </section>
  )
}
