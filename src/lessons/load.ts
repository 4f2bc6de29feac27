/** One lesson at a time, as the page loads them: the words of the others stay where they are. What they hold: catalog.ts. */
import { loadOnce } from '../base/load-once'
import type { Lesson, LessonWords } from './lesson'
import { lessonOf } from './lesson-of'

const words = import.meta.glob<LessonWords>('./*/lesson.md', { import: 'words' })
const samples = import.meta.glob<string>('./*/code/pytorch.py', { query: '?raw', import: 'default' })

export const isLesson = (id: string): boolean => `./${id}/lesson.md` in words

async function load(id: string): Promise<Lesson> {
  const [own, pytorch] = await Promise.all([
    words[`./${id}/lesson.md`]?.(),
    samples[`./${id}/code/pytorch.py`]?.(),
  ])
  if (!own) throw new Error(`There is no lesson '${id}'.`)
  return lessonOf(id, { words: own, pytorch })
}

/** Rejects where there is no such lesson, or a file of it cannot be loaded. */
export const { load: loadLesson, loaded: loadedLesson } = loadOnce(load)
