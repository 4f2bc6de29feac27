/**
 * All lessons, in the order of the path: the folders with a `lesson.md`. The folder's name is the id, and a URL: it never changes.
 * Beside the words lie `cuda.ts` (recorded profiles of CUDA) and `code/pytorch.py` (the same in PyTorch).
 */
import type { CudaSide, Lesson, LessonWords } from './lesson'

const words = import.meta.glob<LessonWords>('./*/lesson.md', { eager: true, import: 'words' })
const cudaSides = import.meta.glob<Readonly<Record<string, CudaSide>>>('./*/cuda.ts', { eager: true })
const samples = import.meta.glob<string>('./*/code/pytorch.py', {
  eager: true,
  query: '?raw',
  import: 'default',
})

/** A module beside a lesson exports exactly one thing. */
function onlyExport<T>(path: string, module: Readonly<Record<string, T>> | undefined): T | undefined {
  if (!module) return undefined
  const [value, ...others] = Object.values(module)
  if (value === undefined || others.length > 0) throw new Error(`${path} must export exactly one thing.`)
  return value
}

function lessonOf(path: string, rest: LessonWords): Lesson {
  const folder = path.slice(0, -'lesson.md'.length)
  const id = folder.split('/').at(-2) ?? ''
  const cuda = onlyExport(`${folder}cuda.ts`, cudaSides[`${folder}cuda.ts`])
  const pytorch = samples[`${folder}code/pytorch.py`]
  if (pytorch === undefined) throw new Error(`${folder} has no code/pytorch.py.`)
  return { ...rest, id, pytorch, ...(cuda ? { cuda } : {}), recording: `${id}.hdl.gz` }
}

export const lessons: readonly Lesson[] = Object.entries(words)
  .map(([path, each]) => lessonOf(path, each))
  .sort((a, b) => a.number - b.number)

export const findLesson = (id: string): Lesson | undefined => lessons.find((lesson) => lesson.id === id)
