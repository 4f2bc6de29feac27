/** Predict first: people who commit to a number learn from the surprise. Run waits for it, or it is skipped openly. */
import { useState, type ReactNode } from 'react'
import type { Asked } from '../../lessons/lesson'
import type { Prediction as Stored } from '../../state/lesson-store'
import { formatNumber, withUnit } from '../format'
import { Inline } from '../prose/Prose'

export interface PredictionProps {
  readonly asked: Asked
  readonly stored: Stored | null
  /** A measurement stands beside it: changing it now would be no prediction. */
  readonly answered: boolean
  readonly onPredict: (prediction: Stored | null) => void
  /** What was measured beside what was said; once it is there, it stands in place of the bare prediction. */
  readonly children?: ReactNode
}

export const Prediction = ({ asked: prediction, stored, answered, onPredict, children }: PredictionProps) => {
  const id = 'prediction-slider'
  const [draft, setDraft] = useState(stored?.kind === 'made' ? stored.value : prediction.start)
  const said = withUnit(formatNumber(draft), prediction.unit)

  const anew = (label: string) => (
    <button
      type="button"
      className="link-button quiet no-print"
      onClick={() => {
        onPredict(null)
      }}
    >
      {label}
    </button>
  )
  const hasResult = Boolean(children)

  if (stored)
    return (
      <div className="prediction prediction-set" data-testid="prediction" data-state={stored.kind}>
        <p className="prediction-question">
          <Inline text={prediction.question} />
        </p>
        {hasResult ? (
          children
        ) : (
          <p>
            {stored.kind === 'made' ? (
              <>
                You predict{' '}
                <strong className="number">{withUnit(formatNumber(stored.value), prediction.unit)}</strong>.
              </>
            ) : (
              'You skipped the prediction.'
            )}{' '}
            {anew(stored.kind === 'made' ? 'Change it' : 'Predict after all')}
          </p>
        )}
        {hasResult && answered && <p className="prediction-anew small">{anew('Predict anew')}</p>}
      </div>
    )

  return (
    <div className="prediction" data-testid="prediction" data-state="open">
      <label htmlFor={id} className="prediction-question">
        <Inline text={prediction.question} />
      </label>
      <div className="prediction-row">
        <div className="prediction-slider">
          <input
            id={id}
            type="range"
            min={prediction.min}
            max={prediction.max}
            step={prediction.step}
            value={draft}
            aria-valuetext={said}
            onChange={(event) => {
              setDraft(event.target.valueAsNumber)
            }}
          />
          <div className="prediction-ends small quiet" aria-hidden="true">
            <span>{prediction.ends[0]}</span>
            <span>{prediction.ends[1]}</span>
          </div>
        </div>
        <output htmlFor={id} className="prediction-value">
          {formatNumber(draft)}
          <span>{prediction.unit}</span>
        </output>
      </div>
      <div className="button-row no-print">
        <button
          type="button"
          className="button button-main"
          onClick={() => {
            onPredict({ kind: 'made', value: draft, unit: prediction.unit })
          }}
        >
          Predict {said}
        </button>
        <button
          type="button"
          className="button button-plain"
          onClick={() => {
            onPredict({ kind: 'skipped' })
          }}
        >
          Skip the prediction
        </button>
      </div>
    </div>
  )
}
