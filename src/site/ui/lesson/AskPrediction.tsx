/** A question that a run answers: on its lesson's page, and on the home page. Says what a press runs, and on what. */
import type { ReactNode } from 'react'
import type { Asked } from '../../../lessons/lesson'
import type { partsFor } from '../../../text/passage'
import type { Prediction } from '../../state/lesson-store'
import { PredictForm } from './PredictForm'

export interface AskPredictionProps {
  readonly asked: Asked
  /** Lines of PyTorch; '' for none. */
  readonly ask: string
  readonly intro: ReturnType<typeof partsFor>
  readonly picture?: ReactNode
  readonly stored: Prediction | null
  /** There is no device here. */
  readonly recordedOnly: boolean
  /** Null: the device has not said. */
  readonly software: boolean | null
  readonly isBlocked: boolean
  readonly onPredict: (prediction: Prediction) => void
  readonly children?: ReactNode
}

export const AskPrediction = (props: AskPredictionProps) => {
  const { asked, ask, intro, picture, stored, recordedOnly, software, isBlocked, onPredict, children } = props
  return (
    <PredictForm
      asked={asked}
      ask={ask}
      intro={intro}
      picture={picture}
      stored={stored}
      then={recordedOnly ? 'and play the recording' : 'and run'}
      isBlocked={isBlocked}
      onPredict={(value) => {
        onPredict({ kind: 'made', value, unit: asked.unit })
      }}
      onSkip={() => {
        onPredict({ kind: 'skipped' })
      }}
    >
      <p className="small quiet" data-testid="runs-on">
        {recordedOnly
          ? 'This browser gives no GPU to the page, so you will see a recorded run.'
          : `${software ? 'This browser offers no GPU, so it runs on software that stands in for one.' : 'It runs on this machine, in your browser.'} Nothing is measured before you press.`}
      </p>
      {children}
    </PredictForm>
  )
}
