/** From the files of a lesson's folder to the lesson. */
import type { Lesson, LessonWords } from './lesson'

export interface LessonFiles {
  readonly words: LessonWords
  /** `code/pytorch.py`; a lesson of profiles has none. */
  readonly pytorch: string | undefined
}

/** Under public/recordings/. */
const recordingOf = (id: string): string => `${id}.hdl.gz`

/** @throws where a file is missing */
export function lessonOf(id: string, { words, pytorch }: LessonFiles): Lesson {
  if (words.kind === 'profiles') return { ...words, id }
  if (pytorch === undefined) throw new Error(`${id} has no code/pytorch.py.`)
  return { ...words, id, pytorch, recording: recordingOf(id) }
}
