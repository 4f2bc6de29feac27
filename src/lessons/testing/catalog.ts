/**
 * All lessons at once, in the order of the path, for tests and tools: the folders with a
 * `lesson.md`. The folder's name is the id, and a URL: it never changes. The page loads one at a
 * time: load.ts.
 */
import type { ExerciseFile, ExerciseWords } from '../../exercises/exercise'
import type { ExperimentLesson, Lesson, LessonWords, ProfilesLesson } from '../lesson'
import { lessonOf } from '../load'
import { experiments } from '../../experiments/testing/catalog'
import type { Declaration } from '../../experiments/declare/experiment'

const words = import.meta.glob<LessonWords>('../*/lesson.md', { eager: true, import: 'words' })
export const lessons: readonly Lesson[] = Object.entries(words)
  .map(([path, each]) => lessonOf(path.split('/').at(-2) ?? '', each))
  .sort((a, b) => a.number - b.number)

export const experimentLessons: readonly ExperimentLesson[] = lessons.filter(
  (lesson) => lesson.kind === 'experiment',
)
export const profilesLessons: readonly ProfilesLesson[] = lessons.filter(
  (lesson) => lesson.kind === 'profiles',
)

const exercises = import.meta.glob<ExerciseFile>('../*/mend/mend.md', { eager: true, import: 'mend' })

/** Words of the last rung of a lesson's mend. */
export function exerciseWords(id: string): ExerciseWords | null {
  const { rungs, pytorch } = exercises[`../${id}/mend/mend.md`] ?? {}
  const last = rungs?.at(-1)
  return last && pytorch ? { ...last, pytorch } : null
}

export const findLesson = (id: string): Lesson | undefined => lessons.find((lesson) => lesson.id === id)

/** Reasons that the lesson's experiment gives. */
export function reasonsOf(lesson: ExperimentLesson): readonly string[] {
  return metaOf(lesson).rules.map(({ reason }) => reason)
}

export function metaOf(lesson: ExperimentLesson): Declaration {
  const meta = experiments.find(({ id }) => id === lesson.experiment)
  if (!meta) throw new Error(`Lesson ${lesson.id} names an experiment that does not exist.`)
  return meta
}
