/** The screens of a lesson. The first is the question; the others are loaded when it has been drawn, or before where an address names one. */
import { lazyPage, type LazyPage } from '../lazy-page'
import type { Screen, ScreenProps } from './use-lesson-run'
import { lazy, Suspense, useContext, useSyncExternalStore } from 'react'
import { FIRST_RUN } from '../../state/lesson-runs'
import { partsFor } from '../../../text/passage'
import { FaultNotice } from '../FaultNotice'
import { useLab } from '../lab-context'
import { ReadingContext } from '../prose/Prose'
import { useStore } from 'zustand'
import { PredictForm, runsOn } from './PredictForm'

/** The question of an experiment, a model to play with, and the key that runs it. */
const LessonPlay = lazy(async () => ({ default: (await import('../play/Play')).LessonPlay }))

// The file of a page has no play, and a frame of another site neither.
const never = () => () => undefined
const yes = () => true
const no = () => false

const PredictScreen = ({ lesson, state }: ScreenProps) => {
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
    <PredictForm
      asked={asked}
      ask={lesson.ask}
      intro={partsFor(lesson.intro, useContext(ReadingContext))}
      stored={progress.prediction}
      {...runsOn(recordedOnly ? 'no-gpu' : playsFirst ? 'software' : null)}
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
    </PredictForm>
  )
}

export const screens: Readonly<Record<Screen, LazyPage<ScreenProps>>> = {
  predict: { Page: PredictScreen, load: () => Promise.resolve() },
  see: lazyPage(async () => (await import('./SeeScreen')).SeeScreen),
  mend: lazyPage(async () => (await import('../../exercise/ExerciseScreen')).ExerciseScreen),
  change: lazyPage(async () => (await import('./ChangeScreen')).ChangeScreen),
  why: lazyPage(async () => (await import('./WhyScreen')).WhyScreen),
  instrument: lazyPage(async () => (await import('./InstrumentScreen')).InstrumentScreen),
}

/** A lesson of recorded profiles has screens of its own: profiles/screens.ts. */
export const profilesBody = lazyPage(async () => (await import('./profiles/ProfilesBody')).ProfilesBody)
