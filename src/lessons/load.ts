/** One lesson at a time, as the page loads them: the words of the others stay where they are. What they hold: catalog.ts. */
import { loadOnce } from '../base/load-once'
import type { CudaSide, Lesson, LessonWords } from './lesson'
import { lessonOf, recordingOf } from './lesson-of'
import type { RecordedSide } from './recorded'

const words = import.meta.glob<LessonWords>('./*/lesson.md', { import: 'words' })
const cudaSides = import.meta.glob<Readonly<Record<string, CudaSide>>>('./*/cuda.ts')
const recordedSides = import.meta.glob<Readonly<Record<string, RecordedSide>>>('./*/recorded.ts')
const samples = import.meta.glob<string>('./*/code/pytorch.py', { query: '?raw', import: 'default' })

export { recordingOf }

export const isLesson = (id: string): boolean => `./${id}/lesson.md` in words

async function load(id: string): Promise<Lesson> {
  const [own, pytorch, cuda, recorded] = await Promise.all([
    words[`./${id}/lesson.md`]?.(),
    samples[`./${id}/code/pytorch.py`]?.(),
    cudaSides[`./${id}/cuda.ts`]?.(),
    recordedSides[`./${id}/recorded.ts`]?.(),
  ])
  if (!own) throw new Error(`There is no lesson '${id}'.`)
  return lessonOf(id, { words: own, pytorch, cuda, recorded })
}

/** Rejects where there is no such lesson, or a file of it cannot be loaded. */
export const { load: loadLesson, loaded: loadedLesson } = loadOnce(load)
