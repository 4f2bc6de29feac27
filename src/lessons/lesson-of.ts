/** From the files of a lesson's folder to the lesson. */
import type { CudaSide, Lesson, LessonWords } from './lesson'
import type { RecordedSide } from './recorded'

type Exports<T> = Readonly<Record<string, T>>

export interface LessonFiles {
  readonly words: LessonWords
  /** `code/pytorch.py`; a lesson of profiles has none. */
  readonly pytorch: string | undefined
  readonly cuda: Exports<CudaSide> | undefined
  readonly recorded: Exports<RecordedSide> | undefined
}

/** A module beside a lesson exports exactly one thing. */
function onlyExport<T>(path: string, module: Exports<T> | undefined): T | undefined {
  if (!module) return undefined
  const [value, ...others] = Object.values(module)
  if (value === undefined || others.length > 0) throw new Error(`${path} must export exactly one thing.`)
  return value
}

/** Under public/recordings/. */
export const recordingOf = (id: string): string => `${id}.hdl.gz`

/** @throws where a file is missing, or exports something else */
export function lessonOf(id: string, files: LessonFiles): Lesson {
  const cuda = onlyExport(`${id}/cuda.ts`, files.cuda)
  const recorded = onlyExport(`${id}/recorded.ts`, files.recorded)
  const { words, pytorch } = files
  if (words.kind === 'profiles') return { ...words, id }
  if (pytorch === undefined) throw new Error(`${id} has no code/pytorch.py.`)
  return {
    ...words,
    id,
    pytorch,
    ...(cuda ? { cuda } : {}),
    ...(recorded ? { recorded } : {}),
    recording: recordingOf(id),
  }
}
