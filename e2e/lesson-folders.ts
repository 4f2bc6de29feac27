/** The lessons, as their folders say: what every lesson must do is tried with each. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ExperimentWords, LessonWords } from '../src/lessons/lesson'
import { readLesson } from '../vite/words-md'

const LESSONS = join(import.meta.dirname, '..', 'src', 'lessons')

/** Ids of the lessons whose folder has this file. */
export const lessonsWith = (file: string): readonly string[] =>
  readdirSync(LESSONS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && readdirSync(join(LESSONS, entry.name)).includes(file))
    .map(({ name }) => name)

export const lessonIds = lessonsWith('lesson.md')

/** A lesson's words, as the site is built of them. */
export const lessonWords = (id: string): LessonWords => readLesson(LESSONS, id)

export const experimentLessonIds = lessonIds.filter((id) => lessonWords(id).kind === 'experiment')

/** Of a lesson that has an experiment. */
export function experimentWords(id: string): ExperimentWords {
  const words = lessonWords(id)
  if (words.kind !== 'experiment') throw new Error(`${id} has no experiment.`)
  return words
}
