/**
 * The head of `lesson.md`; and of each lesson, in their order, what a command asks for, without the
 * recordings that their words quote.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as v from 'valibot'
import { PARTS } from '../../src/lessons/lesson'
import { number, readFrontMatter, text, texts, values } from './front-matter'

const LESSONS = resolve(import.meta.dirname, '../../src/lessons')

const pair = <Of extends v.GenericSchema>(of: Of, wanted: string) =>
  v.pipe(v.strictTuple([of, of], wanted), v.readonly())

const question = {
  question: text,
  unit: text,
  range: pair(v.number('two numbers'), 'two numbers'),
  step: number,
  axis: v.exactOptional(v.literal('log2', 'log2')),
  start: number,
  scale: number,
  ends: pair(v.string('two texts'), 'two texts'),
  result: text,
}
const pytorch = v.exactOptional(v.strictObject({ figure: text, words: text }, 'a map'))
const asked = {
  ...question,
  metric: v.pipe(text, v.regex(/^\S+(?: \S+)?$/, 'a metric and a variant')),
  pytorch,
}

const OBJECTIVES = 'two to four'
const base = {
  number,
  question: text,
  measures: text,
  minutes: number,
  part: v.exactOptional(
    v.picklist(Object.keys(PARTS) as (keyof typeof PARTS)[], `one of ${Object.keys(PARTS).join(', ')}`),
  ),
  recommended: v.exactOptional(text),
  ask: v.exactOptional(text),
  mends: v.exactOptional(texts),
  objectives: v.pipe(
    v.array(
      v.pipe(
        v.string(OBJECTIVES),
        v.regex(/^[A-Z][^`*[\]]*\.$/, 'a list, each of one plain sentence, with its full stop'),
      ),
      OBJECTIVES,
    ),
    v.minLength(2, OBJECTIVES),
    v.maxLength(4, OBJECTIVES),
    v.readonly(),
  ),
}

const ofExperiment = v.strictObject({
  ...base,
  values,
  prediction: v.strictObject(
    { ...asked, withoutTimestamps: v.exactOptional(v.strictObject(asked, 'a map')) },
    'a map',
  ),
  excerpt: v.strictObject(
    {
      variants: texts,
      steps: number,
      from: v.exactOptional(v.literal('steady state', "'steady state'")),
      staging: v.exactOptional(v.literal('shown', "'shown'")),
      figure: text,
      words: text,
    },
    'a map',
  ),
})
const ofProfiles = v.strictObject({
  ...base,
  prediction: v.strictObject(question, 'a map'),
  profiles: v.strictObject(
    { shown: text, rank: number, scripts: v.record(v.string(), text, 'a map of scripts') },
    'a map',
  ),
})

export type QuestionHead = v.InferOutput<typeof ofProfiles>['prediction']
export type AskedHead = NonNullable<v.InferOutput<typeof ofExperiment>['prediction']['withoutTimestamps']>

/** A lesson is of profiles if its head has `profiles`, else of an experiment. */
export const readHead = (source: string, file: string) =>
  /^profiles:/m.test(source.split('\n---\n', 1)[0] ?? '')
    ? ({ kind: 'profiles', ...readFrontMatter(source, file, ofProfiles) } as const)
    : ({ kind: 'experiment', ...readFrontMatter(source, file, ofExperiment) } as const)

export interface LessonHead {
  readonly id: string
  readonly number: number
  /** Faults and verdicts. */
  readonly mends: readonly string[]
}

function headOf(id: string, file: string): LessonHead {
  const { fields } = readHead(readFileSync(file, 'utf8'), file)
  return { id, number: fields.number, mends: fields.mends ?? [] }
}

export const lessonHeads = (): readonly LessonHead[] =>
  readdirSync(LESSONS)
    .map((id) => [id, join(LESSONS, id, 'lesson.md')] as const)
    .filter(([, file]) => existsSync(file))
    .map(([id, file]) => headOf(id, file))
    .sort((a, b) => a.number - b.number)
