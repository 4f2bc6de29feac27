/** 'What if … were gone?': a prediction for one cause of one variant, the run that would test it, and how it fared. */
import { CAUSES } from '../../../timeline'
import { useId, useMemo } from 'react'
import type { ExperimentMeta, ParamValues } from '../../../experiments/experiment'
import {
  remediesOf,
  trialOf,
  valuesWithBoth,
  type IdleVariant,
  type Prediction,
  type Question,
  type Trial,
} from '../../state/idle-time'
import type { RunState } from '../../state/run-store'
import type { Metric } from '../../../trace/report'
import { metricText, pickUnit, withUnit } from '../format'
import { Quantities } from '../prose/Inline'
import { threeFigures } from './figures'
import { limitText, trialHeading, trialText } from './trial-words'
import { useWhatIf } from './use-what-if'

const keyOf = ({ variant, cause }: Question) => `${variant} ${cause}`

const Bar = ({
  label,
  metric,
  most,
  testId,
  isPredicted = false,
}: {
  readonly label: string
  readonly metric: Metric
  readonly most: number
  readonly testId: string
  readonly isPredicted?: boolean
}) => {
  const { value, low, high } = metric
  const measured = isPredicted ? null : metricText(metric, pickUnit('ms', most))
  const text = measured
    ? { figure: withUnit(measured.figure, measured.unit), range: `${measured.low} to ${measured.high}` }
    : threeFigures(metric, most)
  if (value === null) return null
  const at = (x: number) => `${String(Math.max(0, Math.min(100, (100 * x) / most)))}%`
  return (
    <div className="what-if-row baseline stack" data-testid={testId} data-ms={value}>
      <dt>{label}</dt>
      <dd className="what-if-plot">
        <div className="interval forced-keep" aria-hidden="true">
          <div
            className={isPredicted ? 'interval-bar what-if-predicted' : 'interval-bar'}
            style={{ inlineSize: at(value) }}
          />
          {low !== null && high !== null && (
            <div
              className="interval-whisker"
              style={{ insetInlineStart: at(low), inlineSize: at(high - low) }}
            />
          )}
          <div className="interval-value" style={{ insetInlineStart: at(value) }} />
        </div>
      </dd>
      <dd className="what-if-figure nowrap">
        <strong className="number">{text.figure}</strong> <span className="quiet small">{text.range}</span>
      </dd>
    </div>
  )
}

/** Marked as the verdict of a run is that says as much. */
const MARKS = {
  'as-predicted': 'shown',
  faster: 'not-shown',
  slower: 'not-shown',
  'no-gain': 'not-shown',
  'not-decided': 'inconclusive',
} as const

const Answer = ({
  prediction,
  trial,
  isRecorded,
}: {
  readonly prediction: Prediction
  readonly trial: Trial | null
  readonly isRecorded: boolean
}) => {
  const { now, predicted, variant } = prediction
  const measured = trial?.tested.measured
  const most = Math.max(...[now, predicted, measured].map((metric) => metric?.high ?? metric?.value ?? 0))
  return (
    <>
      <dl className="what-if-bars stack">
        <Bar label={`${variant}, measured`} metric={now} most={most} testId="what-if-now" />
        <Bar
          label="without it, predicted"
          metric={predicted}
          most={most}
          testId="what-if-predicted"
          isPredicted
        />
        {trial && measured && (
          <Bar
            label={`${trial.remedy.by}, measured`}
            metric={measured}
            most={most}
            testId="what-if-measured"
          />
        )}
      </dl>
      <p className="small quiet what-if-note passage">
        <Quantities text={limitText(prediction)} />
      </p>
      {trial && (
        <div
          className={`verdict verdict-${MARKS[trial.tested.outcome]}`}
          role="status"
          data-testid="what-if-verdict"
          data-outcome={trial.tested.outcome}
        >
          <h4>{trialHeading(trial.tested.outcome, isRecorded ? 'recorded' : 'here')}</h4>
          <p>
            <Quantities text={trialText(trial, prediction)} /> In {trial.remedy.by}, {trial.remedy.change}.
          </p>
        </div>
      )}
    </>
  )
}

const Method = () => (
  <details className="what-if-method passage small">
    <summary>How it is predicted, and what it leaves out</summary>
    <p>
      Each counted repeat is played again from its own spans: the host’s steps in order, each submission on
      the device first in, first out, each wait over when the work it waited for is. What the cause stands for
      is left out; every length and latency stays as it was measured. Played whole, a repeat takes exactly the
      time it took. Only the variant in question enters: the variant that tests it does not.
    </p>
    <p>
      The lower end allows no time but for the work itself. The upper end lets no launch overlap another, and
      the host hear as late as it ever did. Both take in the repeats and the band of the clock fit. Not in
      them: work that slows what runs beside it, and clocks that change with the load.
    </p>
  </details>
)

export interface WhatIfPanelProps {
  readonly run: RunState
  readonly meta: ExperimentMeta | undefined
  readonly totals: readonly IdleVariant[]
  readonly question: Question
  readonly onAsk: (question: Question) => void
  /** Null where nothing can be run here and now; then `whyNot` says so. */
  readonly onRun: ((values: ParamValues) => void) | null
  readonly whyNot: string
}

export const WhatIfPanel = ({ run, meta, totals, question, onAsk, onRun, whyNot }: WhatIfPanelProps) => {
  const id = useId()
  const { placed, report } = run
  const { variant, cause } = question
  const found = useWhatIf(run, question)
  const remedies = useMemo(() => remediesOf(meta, { variant, cause }), [meta, variant, cause])
  const trial = useMemo(
    () =>
      placed && found?.state === 'predicted' ? trialOf(placed, report, remedies, found.prediction) : null,
    [placed, report, remedies, found],
  )
  const remedy = trial?.remedy ?? remedies[0]
  const questions = totals.flatMap((total) =>
    total.causes.map((each): Question => ({ variant: total.variant, cause: each.cause })),
  )
  return (
    <section className="what-if" aria-labelledby={id} data-testid="what-if">
      <h3 id={id}>What if a cause were gone?</h3>
      <label className="what-if-ask cluster">
        <span>Without</span>
        <select
          value={keyOf(question)}
          onChange={(event) => {
            const asked = questions.find((each) => keyOf(each) === event.target.value)
            if (asked) onAsk(asked)
          }}
        >
          {questions.map((each) => (
            <option key={keyOf(each)} value={keyOf(each)}>
              ‘{CAUSES[each.cause].label}’ in {each.variant}
            </option>
          ))}
        </select>
      </label>
      <p className="small quiet what-if-note passage">That is: {CAUSES[cause].without}.</p>
      {found === null && (
        <p className="quiet what-if-working" role="status" data-testid="what-if-working">
          Playing the repeats again without it…
        </p>
      )}
      {found?.state === 'predicted' && (
        <Answer prediction={found.prediction} trial={trial} isRecorded={run.origin !== 'live'} />
      )}
      {found?.state === 'not-predictable' && <p data-testid="what-if-why">No prediction. {found.why}</p>}
      {found?.state === 'predicted' && (
        <div className="button-row no-print">
          {remedy && onRun && (
            <button
              type="button"
              className="button button-small"
              onClick={() => {
                onRun(valuesWithBoth(run.params, remedy))
              }}
            >
              {trial && run.origin === 'live' ? 'Run it again' : 'Run it'}: {variant} against {remedy.by}
            </button>
          )}
          {remedy && !onRun && <span className="small quiet">{whyNot}</span>}
          {!remedy && (
            <span className="small quiet">
              No variant of this experiment goes without it, so there is no run to test the prediction.
            </span>
          )}
        </div>
      )}
      <Method />
    </section>
  )
}
