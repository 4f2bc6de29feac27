/** One lesson at a time, as the page loads them: the words of the others stay where they are. */
import { loadOnce } from '../base/load-once'
import type { Lesson, LessonWords } from './lesson'

/** A lesson's words under its folder's name. @internal */
export const lessonOf = (id: string, words: LessonWords): Lesson =>
  words.kind === 'profiles' ? { ...words, id } : { ...words, id, recording: `${id}.hdl.gz` }

const words = import.meta.glob<LessonWords>('./*/lesson.md', { import: 'words' })
const fileOf = (id: string): string => `./${id}/lesson.md`

export const isLesson = (id: string): boolean => fileOf(id) in words

/** Rejects where there is no such lesson, or a file of it cannot be loaded. */
export const { load: loadLesson } = loadOnce(async (id: string): Promise<Lesson> => {
  const own = await words[fileOf(id)]?.()
  if (!own) throw new Error(`There is no lesson '${id}'.`)
  return lessonOf(id, own)
})
