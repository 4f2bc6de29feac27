/** The question in the reader's words, their own code, and a number to commit to: people who predict learn from the surprise. */
import { useState, type ReactNode } from 'react'
import type { Question, Asked } from '../../../lessons/lesson'
import type { partsFor } from '../../../text/passage'
import type { Prediction } from '../../state/lesson-store'
import { formatNumber, withUnit } from '../format'
import { Inline, PartsOfProse } from '../prose/Inline'
import { CodeView } from '../source/CodeView'
import { plain } from '../source/lines'
import { SCREEN_START } from './use-screen-focus'
import { ValueSlider } from './ValueSlider'

interface AskPredictionProps {
  readonly asked: Asked
  /** Lines of PyTorch; '' for none. */
  readonly ask: string
  readonly intro: ReturnType<typeof partsFor>
  readonly picture?: ReactNode
  readonly stored: Prediction | null
  /** Why the recorded run is played and nothing is run here; null: it is run. */
  readonly plays: 'no-gpu' | 'software' | null
  readonly isBlocked: boolean
  readonly onPredict: (prediction: Prediction) => void
  readonly children?: ReactNode
}

const WHY = {
  'no-gpu': 'This browser gives no GPU to the page, so you will see a recorded run.',
  software:
    'This browser offers no GPU. You will see a recorded run first; then you can run it here in software.',
  here: 'It runs on this machine, in your browser. Nothing is measured before you press.',
} as const

/** A question that a run answers: on its lesson's page, and on the home page. Says what a press runs, and on what. */
export const AskPrediction = (props: AskPredictionProps) => {
  const { asked, ask, intro, picture, stored, plays, isBlocked, onPredict, children } = props
  return (
    <PredictForm
      asked={asked}
      ask={ask}
      intro={intro}
      picture={picture}
      stored={stored}
      then={plays ? 'and play the recording' : 'and run'}
      isBlocked={isBlocked}
      onPredict={(value) => onPredict({ kind: 'made', value, unit: asked.unit })}
      onSkip={() => onPredict({ kind: 'skipped' })}
    >
      <p className="small quiet" data-testid="runs-on">
        {WHY[plays ?? 'here']}
      </p>
      {children}
    </PredictForm>
  )
}

const SLIDER = 'prediction-slider'

export interface PredictFormProps {
  readonly asked: Question
  /** Lines of PyTorch; '' for none. */
  readonly ask: string
  readonly intro: ReturnType<typeof partsFor>
  /** Below the words, above the keys on a phone. */
  readonly picture?: ReactNode
  /** What was answered before. */
  readonly stored: Prediction | null
  /** What follows the prediction: 'and run'. */
  readonly then: string
  /** The address asks for what cannot be run. */
  readonly isBlocked?: boolean
  readonly onPredict: (value: number) => void
  readonly onSkip: () => void
  /** Below the keys: what a press does. */
  readonly children: ReactNode
}

export const PredictForm = (props: PredictFormProps) => {
  const { asked, ask, intro, picture, stored, then, isBlocked = false, onPredict, onSkip, children } = props
  const [draft, setDraft] = useState(stored?.kind === 'made' ? stored.value : asked.start)
  const drafted = withUnit(formatNumber(draft), asked.unit)
  return (
    <section
      className="predict stack top"
      aria-label="The question"
      data-testid="prediction"
      data-state={stored?.kind ?? 'open'}
      {...SCREEN_START}
    >
      {ask !== '' && (
        <div className="predict-code">
          <CodeView title="PyTorch" lines={plain(ask)} />
        </div>
      )}
      <div className="predict-why stack-16">
        <PartsOfProse parts={intro} />
      </div>
      {picture && <div className="predict-picture">{picture}</div>}
      <form
        className="predict-ask stack-16"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBlocked) onPredict(draft)
        }}
      >
        <label htmlFor={SLIDER} className="prediction-question bold">
          <Inline text={asked.question} />
        </label>
        <output htmlFor={SLIDER} className="predict-value">
          {formatNumber(draft)}
          {asked.unit !== 'n' && <span>{asked.unit}</span>}
        </output>
        <ValueSlider
          id={SLIDER}
          slider={asked}
          value={draft}
          text={drafted}
          ends={asked.ends}
          onChange={setDraft}
        />
        <div className="button-row no-print">
          <button type="submit" className="button button-main" aria-disabled={isBlocked}>
            {`Predict ${drafted} ${then}`}
          </button>
          <button
            type="button"
            className="button button-plain"
            aria-disabled={isBlocked}
            onClick={() => {
              if (!isBlocked) onSkip()
            }}
          >
            Skip the prediction
          </button>
        </div>
        {children}
      </form>
    </section>
  )
}
