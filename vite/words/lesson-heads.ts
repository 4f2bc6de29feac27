/** Of each lesson, its id and what it mends, in their order: from the heads of their files, without the recordings that their words quote. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { splitFrontMatter } from './front-matter'

const LESSONS = resolve(import.meta.dirname, '../../src/lessons')

export interface LessonHead {
  readonly id: string
  readonly number: number
  /** Faults and verdicts. */
  readonly mends: readonly string[]
}

function headOf(id: string, file: string): LessonHead {
  const { fields } = splitFrontMatter(readFileSync(file, 'utf8'), file)
  return {
    id,
    number: fields.number('number'),
    mends: fields.has('mends') ? fields.texts('mends') : [],
  }
}

export const lessonHeads = (): readonly LessonHead[] =>
  readdirSync(LESSONS)
    .map((id) => [id, join(LESSONS, id, 'lesson.md')] as const)
    .filter(([, file]) => existsSync(file))
    .map(([id, file]) => headOf(id, file))
    .sort((a, b) => a.number - b.number)
