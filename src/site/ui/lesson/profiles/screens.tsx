/**
 * The screens of a lesson of profiles. The first is the question; the others are loaded when they
 * are asked for.
 */
import type { ProfilesScreenProps } from '../use-lesson'
import { lazyPage, type LazyPage } from '../../lazy-page'
import { useContext } from 'react'
import { lessonRoute } from '../../../state/url'
import { partsFor } from '../../../../text/template'
import { useLab, useProgress } from '../../lab-context'
import { ReadingContext } from '../../prose/Prose'
import { PredictForm } from '../PredictForm'
import type { ProfilesLesson } from '../../../../lessons/lesson'
import { ScreenRoom } from '../../prose/Inline'
import { useTitle } from '../../use-title'
import { LessonFrame, type Stop } from '../LessonFrame'
import { useScreenFocus } from '../use-screen-focus'
import '../../run/run.css'
import '../../verdict/verdict.css'
import '../lesson.css'

/**
 * The question about a profile that was recorded. Nothing of it is opened before a key is pressed.
 */
const PredictProfile = ({ lesson, progress }: ProfilesScreenProps) => {
  const { lessons, route } = useLab()
  const { id, prediction: asked } = lesson
  return (
    <PredictForm
      asked={asked}
      ask={lesson.ask}
      intro={partsFor(lesson.intro, useContext(ReadingContext))}
      stored={progress.prediction}
      follows="and open the profile"
      why="The profile was recorded on real GPUs. It is read in your browser, which needs no GPU for that."
      onPredict={(prediction) => {
        lessons.predict(id, prediction)
        route.go(lessonRoute(id, 'see'))
      }}
    />
  )
}

export type ProfilesScreen = 'predict' | 'see' | 'find' | 'why' | 'own'

export const profilesScreens: Readonly<Record<ProfilesScreen, LazyPage<ProfilesScreenProps>>> = {
  predict: { Page: PredictProfile, load: () => Promise.resolve() },
  see: lazyPage(async () => (await import('./SeeProfile')).SeeProfile),
  find: lazyPage(async () => (await import('./FindScreen')).FindScreen),
  why: lazyPage(async () => (await import('./WhyProfiles')).WhyProfiles),
  own: lazyPage(async () => (await import('./WhyProfiles')).OwnScreen),
}

const STOPS = [
  { screen: 'predict', label: 'Predict' },
  { screen: 'see', label: 'See' },
  { screen: 'find', label: 'Find the line' },
  { screen: 'why', label: 'Why' },
  { screen: 'own', label: 'Your own profile' },
] as const satisfies readonly (Stop & { readonly screen: ProfilesScreen })[]

interface ProfilesBodyProps {
  readonly lesson: ProfilesLesson
  /** The address names it; '' stands for where the visitor's progress leads. */
  readonly screen: string
  readonly step: string
}

export const ProfilesBody = ({ lesson, screen: asked, step }: ProfilesBodyProps) => {
  const progress = useProgress(lesson.id)
  const first = progress.prediction === null ? 'predict' : 'see'
  const screen = STOPS.find((stop) => stop.screen === asked)?.screen ?? first
  const { Page: Shown } = profilesScreens[screen]
  const page = useScreenFocus(screen === 'find' ? `${screen}/${step}` : screen)
  useTitle(lesson.question)
  return (
    <LessonFrame lesson={lesson} stops={STOPS} screen={screen} page={page}>
      <ScreenRoom>
        <Shown lesson={lesson} progress={progress} step={step} />
      </ScreenRoom>
    </LessonFrame>
  )
}
