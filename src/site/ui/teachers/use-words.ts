/**
 * As useLesson of a lesson's page. Of its own: modules that these pages share with the home page would be pieces of their own there, and cost
 * it more than they hold.
 */
import { use } from 'react'
import type { Lesson } from '../../../lessons/lesson'
import { isLesson, loadLesson } from '../../../lessons/load'

/** Suspends while its words are loaded. Null: there is no such lesson. */
export function useWords(id: string): Lesson | null {
  if (!isLesson(id)) return null
  return use(loadLesson(id))
}
