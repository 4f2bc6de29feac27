/** The question of an experiment, a model to play with, and the key that runs it. */
import { lazy, Suspense, useContext, useSyncExternalStore } from 'react'
import type { ExperimentLesson } from '../../../lessons/lesson'
import { FIRST_RUN } from '../../state/lesson-runs'
import { partsFor } from '../../../text/passage'
import { FaultNotice } from '../FaultNotice'
import { useLab } from '../lab-context'
import { ReadingContext } from '../prose/Prose'
import { useStore } from '../use-store'
import { AskPrediction } from './PredictForm'
import type { LessonRun } from './use-lesson-run'

const LessonPlay = lazy(async () => ({ default: (await import('../play/Play')).LessonPlay }))

// The file of a page has no play, and a frame of another site neither.
const never = () => () => undefined
const yes = () => true
const no = () => false

export const PredictScreen = ({
  lesson,
  state,
}: {
  readonly lesson: ExperimentLesson
  readonly state: LessonRun
}) => {
  const isBrowser = useSyncExternalStore(never, yes, no)
  const { route } = useLab()
  const isFramed = useStore(route.store, (each) => each.route.page) === 'embed'
  const play = isBrowser && !isFramed && (
    <Suspense fallback={null}>
      <LessonPlay lesson={lesson.id} />
    </Suspense>
  )
  const { asked, progress, values, recordedOnly, deviceFault } = state
  const playsFirst = state.playsFirst(FIRST_RUN)
  return (
    <AskPrediction
      asked={asked}
      ask={lesson.ask}
      intro={partsFor(lesson.intro, useContext(ReadingContext))}
      stored={progress.prediction}
      plays={recordedOnly ? 'no-gpu' : playsFirst ? 'software' : null}
      picture={play}
      isBlocked={values === null}
      onPredict={(prediction) => {
        state.predict(prediction)
        if (!values) return
        if (playsFirst) state.playRecording(FIRST_RUN)
        else state.start(FIRST_RUN, values)
        state.goTo('see')
      }}
    >
      {recordedOnly && deviceFault && <FaultNotice fault={deviceFault} />}
    </AskPrediction>
  )
}
