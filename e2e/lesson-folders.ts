/** The lessons, as their folders say: what every lesson must do is tried with each. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ExperimentWords, LessonWords } from '../src/lessons/lesson'
import type { Rule } from '../src/experiments/declare/experiment'
import { namesFor } from '../vite/figures'
import { parseVerdict } from '../vite/words/verdict'
import { quotable, readLessons } from '../vite/words-md'

const lessons = await readLessons()
const LESSONS = join(import.meta.dirname, '..', 'src', 'lessons')

/** Ids of the lessons whose folder has this file. */
const lessonsWith = (file: string): readonly string[] =>
  readdirSync(LESSONS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && readdirSync(join(LESSONS, entry.name)).includes(file))
    .map(({ name }) => name)

export const lessonIds = lessonsWith('lesson.md')

/** A lesson's words, as the site is built of them. */
export function lessonWords(id: string): LessonWords {
  const words = lessons.find((lesson) => lesson.id === id)
  if (!words) throw new Error(`There is no lesson ${id}.`)
  return words
}

export const experimentLessonIds = lessonIds.filter((id) => lessonWords(id).kind === 'experiment')

/** Of a lesson that has an experiment. */
export function experimentWords(id: string): ExperimentWords {
  const words = lessonWords(id)
  if (words.kind !== 'experiment') throw new Error(`${id} has no experiment.`)
  return words
}

/** The rules of an experiment's verdict, as the site is built of them. */
export async function verdictRules(experiment: string): Promise<readonly Rule[]> {
  const file = join(import.meta.dirname, '..', 'src', 'experiments', experiment, 'verdict.md')
  const { figure } = await quotable()
  return parseVerdict(readFileSync(file, 'utf8'), file, await namesFor(file), figure)
}
