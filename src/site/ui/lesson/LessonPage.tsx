/**
 * A lesson: one screen at a time. Of an experiment: ask and predict, see what was measured, change
 * one thing, say why. Its experiment with all controls is a page of its own. Of profiles:
 * profiles/screens.tsx.
 */
import { Suspense } from 'react'
import type { ExperimentLesson } from '../../../lessons/lesson'
import { FIRST_RUN } from '../../state/lesson-runs'
import type { RouteOf } from '../../state/url'
import { FaultNotice } from '../FaultNotice'
import { NotFoundPage } from '../NotFoundPage'
import { ReadingContext } from '../prose/Prose'
import { ScreenRoom } from '../prose/Inline'
import { benchRoute } from '../run/param-query'
import { useTitle } from '../use-title'
import { LessonFrame } from './LessonFrame'
import { profilesBody, screens } from './screens'
import { hasExercise, useLesson } from './use-lesson'
import { useLessonRun, type Screen } from './use-lesson-run'
import { useScreenFocus } from './use-screen-focus'
import { Button } from '../Button'
import '../run/run.css'
import './lesson.css'

const STOPS: readonly { readonly screen: Screen; readonly label: string }[] = [
  { screen: 'predict', label: 'Predict' },
  { screen: 'see', label: 'See' },
  { screen: 'mend', label: 'Mend it' },
  { screen: 'change', label: 'Change one thing' },
  { screen: 'why', label: 'Why' },
]

interface ExperimentBodyProps {
  readonly lesson: ExperimentLesson
  readonly route: RouteOf<'lesson'>
}

const ExperimentBody = ({ lesson, route }: ExperimentBodyProps) => {
  const state = useLessonRun(lesson, route)
  useTitle(lesson.question)
  const { addressFault, screen, step, meta } = state
  const ended = state.ended(FIRST_RUN)
  const part = screen === 'change' ? step : screen === 'mend' ? route.step : ''
  const page = useScreenFocus(part === '' ? screen : `${screen}/${part}`)
  const { Page: Shown } = screens[screen]
  return (
    <ReadingContext value={state.readingOf(ended)}>
      <LessonFrame
        lesson={lesson}
        stops={STOPS.filter((stop) => stop.screen !== 'mend' || hasExercise(lesson.id))}
        screen={screen}
        bench={benchRoute(meta, ended?.params ?? state.values ?? lesson.values)}
        page={page}
      >
        {addressFault && (
          <FaultNotice fault={addressFault}>
            <Button look="small" label="Use the lesson’s own values" onClick={state.useOwnValues} />
          </FaultNotice>
        )}
        <ScreenRoom>
          <Shown lesson={lesson} state={state} />
        </ScreenRoom>
      </LessonFrame>
    </ReadingContext>
  )
}

export const LessonPage = ({ route }: { readonly route: RouteOf<'lesson'> }) => {
  const lesson = useLesson(route.id)
  if (!lesson) return <NotFoundPage what={`There is no lesson ‘${route.id}’.`} />
  if (lesson.kind === 'experiment') return <ExperimentBody lesson={lesson} route={route} />
  return (
    <Suspense fallback={<p className="loading">Loading.</p>}>
      <profilesBody.Page lesson={lesson} screen={route.screen} step={route.step} />
    </Suspense>
  )
}
