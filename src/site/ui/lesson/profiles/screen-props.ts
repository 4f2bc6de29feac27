/** What each screen of a lesson of profiles is given. */
import type { ProfilesLesson } from '../../../../lessons/lesson'
import type { LessonProgress } from '../../../state/lesson-store'

export interface ProfilesScreenProps {
  readonly lesson: ProfilesLesson
  readonly progress: LessonProgress
  /** Of `find`: the number of a profile; '' for the next one. */
  readonly step: string
}
