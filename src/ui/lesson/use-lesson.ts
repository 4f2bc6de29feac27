import { use } from 'react'
import type { Lesson } from '../../lessons/lesson'
import { isLesson, loadedLesson, loadLesson } from '../../lessons/load'

/** Suspends while its words are loaded. Null: there is no such lesson. */
export function useLesson(id: string): Lesson | null {
  if (!isLesson(id)) return null
  // At once where it was loaded before the page is drawn: no fallback, nothing that jumps.
  return loadedLesson(id) ?? use(loadLesson(id))
}
