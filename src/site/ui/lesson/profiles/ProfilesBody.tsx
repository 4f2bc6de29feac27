/** A lesson of recorded profiles: predict, see one opened, find the line at fault in each, why, and the reader's own. Needs no device. */
import type { ProfilesLesson } from '../../../../lessons/lesson'
import { useProgress } from '../../lab-context'
import { ScreenRoom } from '../../prose/Inline'
import { useTitle } from '../../use-title'
import { LessonFrame, type Stop } from '../LessonFrame'
import { useScreenFocus } from '../use-screen-focus'
import { profilesScreens, type ProfilesScreen } from './screens'
import '../../run/run.css'
import '../../verdict/verdict.css'
import '../lesson.css'
import './profiles.css'

const STOPS = [
  { screen: 'predict', label: 'Predict' },
  { screen: 'see', label: 'See' },
  { screen: 'find', label: 'Find the line' },
  { screen: 'why', label: 'Why' },
  { screen: 'own', label: 'Your own profile' },
] as const satisfies readonly (Stop & { readonly screen: ProfilesScreen })[]

interface ProfilesBodyProps {
  readonly lesson: ProfilesLesson
  /** As the address has it: '' for where the visitor's progress leads. */
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
