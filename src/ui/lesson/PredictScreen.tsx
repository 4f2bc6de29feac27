/** The question of an experiment, and the key that runs it. On the home page too, where pressing leads into the lesson. */
import type { ExperimentLesson } from '../../lessons/lesson'
import { FIRST_RUN } from '../../state/lesson-runs'
import { FaultNotice } from '../FaultNotice'
import { PredictForm } from './PredictForm'
import type { LessonRun } from './use-lesson-run'

export const PredictScreen = ({
  lesson,
  state,
}: {
  readonly lesson: ExperimentLesson
  readonly state: LessonRun
}) => {
  const { asked, progress, values, recordedOnly, deviceFault } = state
  const { software } = state.factsFor(null)
  const run = () => {
    if (!values) return
    if (recordedOnly) state.playRecording(FIRST_RUN)
    else state.start(FIRST_RUN, values)
    state.goTo('see')
  }
  return (
    <PredictForm
      asked={asked}
      ask={lesson.ask}
      intro={lesson.intro}
      stored={progress.prediction}
      then={recordedOnly ? 'and play the recording' : 'and run'}
      isBlocked={values === null}
      onPredict={(value) => {
        state.predict({ kind: 'made', value, unit: asked.unit })
        run()
      }}
      onSkip={() => {
        state.predict({ kind: 'skipped' })
        run()
      }}
    >
      <p className="small quiet" data-testid="runs-on">
        {recordedOnly
          ? 'This browser gives no GPU to the page, so you will see a run that was recorded on a real one.'
          : `${software ? 'This browser offers no GPU, so it runs on software that stands in for one.' : 'It runs on the GPU of this machine, in your browser.'} Nothing is measured before you press.`}
      </p>
      {recordedOnly && deviceFault && <FaultNotice fault={deviceFault} />}
    </PredictForm>
  )
}
