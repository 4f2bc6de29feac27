/** One lesson at a time, as the page loads them: the words of the others stay where they are. */
import { loadOnce } from '../base/load-once'
import type { Lesson, LessonWords } from './lesson'

interface LessonFiles {
  readonly words: LessonWords
  /** `code/pytorch.py`; a lesson of profiles has none. */
  readonly pytorch: string | undefined
}

/** Under public/recordings/. */
const recordingOf = (id: string): string => `${id}.hdl.gz`

/** From the files of a lesson's folder to the lesson. @throws where a file is missing @internal */
export function lessonOf(id: string, { words, pytorch }: LessonFiles): Lesson {
  if (words.kind === 'profiles') return { ...words, id }
  if (pytorch === undefined) throw new Error(`${id} has no code/pytorch.py.`)
  return { ...words, id, pytorch, recording: recordingOf(id) }
}

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
