/** The lessons, as their folders say: what every lesson must do is tried with each. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const LESSONS = join(import.meta.dirname, '..', 'src', 'lessons')

/** Ids of the lessons whose folder has this file. */
export const lessonsWith = (file: string): readonly string[] =>
  readdirSync(LESSONS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && readdirSync(join(LESSONS, entry.name)).includes(file))
    .map(({ name }) => name)

export const lessonIds = lessonsWith('lesson.md')
