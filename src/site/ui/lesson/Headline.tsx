/**
 * One large number, PyTorch's where it was recorded; beside it this machine's own and the
 * prediction, on one axis.
 */
import type { ReactNode } from 'react'
import type { Asked, PyTorchFigure, Question } from '../../../lessons/lesson'
import type { Prediction } from '../../state/lesson-store'
import type { RunInfo } from '../../../trace/schema'
import { findMetric, type Report } from '../../../trace/report'
import { formatDate, formatNumber, metricText, reasonNotMeasured, withUnit } from '../format'
import { BROWSER_OF } from '../../../text/facts'
import { say } from '../../../text/wording'
import { Inline } from '../prose/Inline'
import { originInWords } from '../run-words'
import { inSliderUnit, scoreInWords, sentence } from './compare-prediction'
import { Scale, shortFigure } from './Scale'
import { SCREEN_START } from './use-screen-focus'

interface LargeProps {
  /** Null: there is none. */
  readonly figure: { readonly text: string; readonly unit: string } | null
  readonly words: ReactNode
  /** Where it is from. */
  readonly origins: ReactNode
  readonly testId?: string
}

/** The one large number, and what it says. */
export const Large = ({ figure, words, origins, testId }: LargeProps) => (
  <div className="headline-main row" data-testid={testId}>
    <div data-testid={testId === 'twin' ? undefined : 'headline-number'}>
      {figure ? (
        <p className="headline-number baseline row">
          <strong className="number">{figure.text}</strong>
          <span>{figure.unit}</span>
        </p>
      ) : (
        <span className="headline-none">not in the profile</span>
      )}
    </div>
    <p className="headline-words stack-4">
      <span>{words}</span>
      <small className="quiet">{origins}</small>
    </p>
  </div>
)

/** '66.3 %' and '18 ×' have their unit behind a blank; a time too. */
const splitUnit = (text: string): readonly [figure: string, unit: string] => {
  const [, figure = text, unit = ''] = /^(\S+)[\s\u202f\u00a0](.+)$/.exec(text) ?? []
  return [figure, unit]
}

interface OwnProps {
  readonly asked: Asked
  readonly origin: RunInfo['origin']
  readonly report: Report
  /** Labels of the parameters in which this run differs from the one that was predicted. */
  readonly changed: readonly string[]
}

const UNDECIDED: Partial<Record<Report['verdict']['outcome'], string>> = {
  inconclusive: 'not decided',
  invalid: 'not valid',
}

/** What WebGPU measured here or in the recording. Where nothing is decided there is no number. */
export const Own = ({ asked, origin, report, changed }: OwnProps) => {
  const metric = findMetric(report.metrics, asked.metric.name, asked.metric.variant)
  const text = metric ? metricText(metric) : null
  const undecided = UNDECIDED[report.verdict.outcome]
  // Only large type is short: in a sentence a share has the digits of the answer and the strips.
  const inSentence = text && (text.unit === '%' ? say(metric).replace(/ %$/, '') : text.figure)
  const figure = text && (asked.pytorch ? inSentence : shortFigure(text.figure, asked))
  const short = undecided ?? figure ?? 'not measured'
  const did = origin === 'recorded' ? 'Recorded' : text === null ? 'Run' : 'Measured'
  const where = `${did} on ${report.environment.adapterName}${origin === 'live' ? '' : `, ${formatDate(report.startedAt)}`}`
  // Where nothing is decided the verdict says why.
  const words =
    undecided === undefined &&
    (text === null ? sentence(reasonNotMeasured(metric)) : <Inline text={asked.result} />)
  const origins = `${where}${changed.length > 0 ? `. Not the question’s run: it differs in ${changed.join(', ')}.` : ''}`
  const isNumber = undecided === undefined && text !== null
  if (asked.pytorch || !isNumber)
    return (
      <p className="headline-own" data-testid="headline-own">
        {asked.pytorch && `In ${BROWSER_OF[origin]} `}
        <span data-testid="headline-number">
          <strong>{isNumber ? withUnit(short, text.unit) : short}</strong>
        </span>{' '}
        {words} <small className="quiet">{origins}</small>
      </p>
    )
  return <Large figure={{ text: short, unit: text.unit }} {...{ words, origins }} testId="headline-own" />
}

const Twin = ({ twin }: { readonly twin: PyTorchFigure }) => {
  const [text, unit] = splitUnit(twin.text)
  return (
    <Large
      figure={{ text, unit }}
      words={<Inline text={twin.words} />}
      origins={`Recorded in PyTorch on ${originInWords(twin.origin)}`}
      testId="twin"
    />
  )
}

interface SaidProps {
  readonly said: number
  readonly asked: Pick<Question, 'unit'>
  readonly children: ReactNode
}

/** What the reader said, and how far off it was. */
export const Said = ({ said, asked, children }: SaidProps) => (
  <p className="headline-side stack small" data-testid="prediction-result">
    <strong className="number">{withUnit(formatNumber(said), asked.unit)}</strong>
    <span>you said. {children}</span>
  </p>
)

export const Headline = ({ prediction, ...own }: OwnProps & { readonly prediction: Prediction | null }) => {
  const { asked, origin, report } = own
  const twin = asked.pytorch
  const isDecided = UNDECIDED[report.verdict.outcome] === undefined
  const metric = findMetric(report.metrics, asked.metric.name, asked.metric.variant)
  const found = inSliderUnit(metric, asked)
  const measured = isDecided ? found : null
  const said = prediction?.kind === 'made' ? prediction.value : null
  return (
    <section
      className="headline stack"
      aria-label="What was measured"
      data-testid="headline"
      {...SCREEN_START}
    >
      {twin ? <Twin twin={twin} /> : <Own {...own} />}
      {said !== null && (
        <Said {...{ said, asked }}>
          {scoreInWords(said, found, asked, report, {
            pytorch: twin?.onScale ?? null,
            browser: BROWSER_OF[origin],
          })}
        </Said>
      )}
      {measured !== null && (
        <Scale asked={asked} measured={measured} said={said} twin={twin?.onScale ?? null} />
      )}
    </section>
  )
}
