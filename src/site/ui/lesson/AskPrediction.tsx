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
      onPredict={(value) => {
        onPredict({ kind: 'made', value, unit: asked.unit })
      }}
      onSkip={() => {
        onPredict({ kind: 'skipped' })
      }}
    >
      <p className="small quiet" data-testid="runs-on">
        {WHY[plays ?? 'here']}
      </p>
      {children}
    </PredictForm>
  )
}
