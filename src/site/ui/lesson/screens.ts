/** The screens of a lesson. The first is the question; the others are loaded when it has been drawn, or before where an address names one. */
import type { ExperimentLesson } from '../../../lessons/lesson'
import { lazyPage, type LazyPage } from '../lazy-page'
import { PredictScreen } from './PredictScreen'
import type { LessonRun, Screen } from './use-lesson-run'

interface ScreenProps {
  readonly lesson: ExperimentLesson
  readonly state: LessonRun
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
