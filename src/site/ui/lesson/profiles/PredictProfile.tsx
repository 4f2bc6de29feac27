/** The question about a profile that was recorded. Nothing of it is opened before a key is pressed. */
import { useContext } from 'react'
import { lessonRoute } from '../../../state/url'
import type { Prediction } from '../../../state/lesson-store'
import { partsFor } from '../../../../text/passage'
import { useLab } from '../../lab-context'
import { ReadingContext } from '../../prose/Prose'
import { PredictForm } from '../PredictForm'
import type { ProfilesScreenProps } from './screen-props'

export const PredictProfile = ({ lesson, progress }: ProfilesScreenProps) => {
  const { lessons, route } = useLab()
  const { id, prediction: asked } = lesson
  const answer = (prediction: Prediction) => {
    lessons.predict(id, prediction)
    route.go(lessonRoute(id, 'see'))
  }
  return (
    <PredictForm
      asked={asked}
      ask={lesson.ask}
      intro={partsFor(lesson.intro, useContext(ReadingContext))}
      stored={progress.prediction}
      then="and open the profile"
      onPredict={(value) => answer({ kind: 'made', value, unit: asked.unit })}
      onSkip={() => answer({ kind: 'skipped' })}
    >
      <p className="small quiet" data-testid="runs-on">
        The profile was recorded on real GPUs. It is read in your browser, which needs no GPU for that.
      </p>
    </PredictForm>
  )
}
