/** The question of an experiment, and the key that runs it. */
import { useContext } from 'react'
import type { ExperimentLesson } from '../../../lessons/lesson'
import { FIRST_RUN } from '../../state/lesson-runs'
import { partsFor } from '../../../text/passage'
import { FaultNotice } from '../FaultNotice'
import { ReadingContext } from '../prose/Prose'
import { AskPrediction } from './AskPrediction'
import type { LessonRun } from './use-lesson-run'

export const PredictScreen = ({
  lesson,
  state,
}: {
  readonly lesson: ExperimentLesson
  readonly state: LessonRun
}) => {
  const { asked, progress, values, recordedOnly, deviceFault } = state
  return (
    <AskPrediction
      asked={asked}
      ask={lesson.ask}
      intro={partsFor(lesson.intro, useContext(ReadingContext))}
      stored={progress.prediction}
      recordedOnly={recordedOnly}
      software={state.readingOf(null).facts.environment?.isSoftware ?? null}
      isBlocked={values === null}
      onPredict={(prediction) => {
        state.predict(prediction)
        if (!values) return
        if (recordedOnly) state.playRecording(FIRST_RUN)
        else state.start(FIRST_RUN, values)
        state.goTo('see')
      }}
    >
      {recordedOnly && deviceFault && <FaultNotice fault={deviceFault} />}
    </AskPrediction>
  )
}
