/** The first lesson's prediction on the first page, with the words of that lesson and of no other. */
import { lessonIndex } from 'virtual:lesson-index'
import type { ExperimentLesson } from '../../lessons/lesson'
import { FactsContext } from '../prose/Prose'
import { PredictScreen } from '../lesson/PredictScreen'
import { useLesson } from '../lesson/use-lesson'
import { useLessonRun } from '../lesson/use-lesson-run'
import '../lesson/lesson.css'

const HERE = { screen: 'predict', step: '', query: {} } as const

const Ask = ({ lesson }: { readonly lesson: ExperimentLesson }) => {
  const state = useLessonRun(lesson, HERE)
  return (
    <FactsContext value={state.factsFor(null)}>
      <PredictScreen lesson={lesson} state={state} />
    </FactsContext>
  )
}

export const FirstQuestion = () => {
  const first = useLesson(lessonIndex[0]?.id ?? '')
  return first?.kind === 'experiment' ? <Ask lesson={first} /> : null
}
