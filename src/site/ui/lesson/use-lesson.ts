import type { LessonProgress } from '../../state/lesson-store'
import { use } from 'react'
import type { Lesson, ProfilesLesson } from '../../../lessons/lesson'
import { isLesson, loadLesson } from '../../../lessons/load'
import { lessonIndex } from 'virtual:lesson-index'

/** Whether a lesson has the screen 'Mend it'. */
export const hasExercise = (lesson: string): boolean =>
  lessonIndex.find(({ id }) => id === lesson)?.hasExercise ?? false

/** Suspends while its words are loaded. Null: there is no such lesson. */
export function useLesson(id: string): Lesson | null {
  if (!isLesson(id)) return null
  // At once where it was loaded before the page is drawn (base/load-once.ts): no fallback, nothing
  // that jumps.
  return use(loadLesson(id))
}

/** What each screen of a lesson of profiles is given. */
export interface ProfilesScreenProps {
  readonly lesson: ProfilesLesson
  readonly progress: LessonProgress
  /** Of `find`: the number of a profile; '' for the next one. */
  readonly step: string
}
