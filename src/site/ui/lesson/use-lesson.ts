import { use } from 'react'
import type { Lesson } from '../../../lessons/lesson'
import { isLesson, loadLesson } from '../../../lessons/load'
import { lessonIndex } from 'virtual:lesson-index'

/** Whether a lesson has the screen 'Mend it'. */
export const hasExercise = (lesson: string): boolean =>
  lessonIndex.find(({ id }) => id === lesson)?.hasExercise ?? false

/** Suspends while its words are loaded. Null: there is no such lesson. */
export function useLesson(id: string): Lesson | null {
  if (!isLesson(id)) return null
  // At once where it was loaded before the page is drawn (base/load-once.ts): no fallback, nothing that jumps.
  return use(loadLesson(id))
}
