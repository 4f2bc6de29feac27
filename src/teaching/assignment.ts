/**
 * What a teacher asks of a class, as a link: all of it stands in the link's hash, and nothing is kept anywhere else. Like every link it is
 * checked when it is opened: what is too long, unknown or of the wrong kind is refused in words, and nothing runs. Pure.
 */
import { fail, succeed, type Result } from '../base/result'
import { formatParam, parseParams, type ExperimentMeta, type ParamValues } from '../experiments/experiment'
import type { Lesson } from '../lessons/lesson'
import { crc32 } from './crc32'

type Query = Readonly<Record<string, string>>

export interface Assignment {
  readonly lesson: string
  /** What the task is called in the class; '' for the lesson's own title. */
  readonly title: string
  /** Ids of the lesson's steps that are asked for, in the lesson's order; of those that run something. */
  readonly steps: readonly string[]
  /** In the place of the lesson's own values; only those that differ. */
  readonly values: ParamValues
  /** All settings are as given: no control changes them, and a run with others does not count. */
  readonly isLocked: boolean
  /** The mend of the lesson is asked for; of a lesson of profiles: to find the lines at fault. */
  readonly mend: boolean
}

/** Of the title, characters. */
export const MAX_TITLE = 80
/** Of a whole link's hash, characters: a few settings of each kind take less than a quarter of it. */
const MAX_LINK = 2000
/** A setting's name in the link: parameters may be called as parts of the link are (`steps`). */
const SETTING = 'set.'
const NAMES = ['lesson', 'title', 'steps', 'mend', 'locked']

const refuse = (message: string): Result<never> =>
  fail({ code: 'parameter', message, hint: 'Ask whoever sent it for the link as it was made.' })

/** In an order of its own, so that one assignment is one text. */
export function assignmentQuery(assignment: Assignment): Query {
  const { lesson, title, steps, values, isLocked, mend } = assignment
  return {
    lesson,
    ...(title === '' ? {} : { title }),
    ...(steps.length === 0 ? {} : { steps: steps.join(',') }),
    ...(mend ? { mend: '1' } : {}),
    ...(isLocked ? { locked: '1' } : {}),
    ...Object.fromEntries(
      Object.entries(values)
        .map(([name, value]) => [SETTING + name, formatParam(value)] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  }
}

/** Tells assignments apart in completion codes, 32 bits; 0 stands for none. */
export const assignmentNumber = (assignment: Assignment): number =>
  crc32(new TextEncoder().encode(new URLSearchParams(assignmentQuery(assignment)).toString())) || 1

/** The lesson that a link names; null where it names none. It has to be loaded before the rest can be read. */
export const lessonNamed = (query: Query): string | null => query['lesson'] ?? null

const flagOf = (query: Query, name: string): Result<boolean> => {
  const text = query[name]
  if (text === undefined || text === '0') return succeed(false)
  return text === '1' ? succeed(true) : refuse(`'${name}' must be 0 or 1; got '${text.slice(0, 40)}'.`)
}

/** Those of a lesson that an assignment can ask for: a step that runs nothing leaves nothing to hand in. */
export const stepsToAsk = (lesson: Lesson): readonly { readonly id: string; readonly heading: string }[] =>
  lesson.kind === 'experiment' ? lesson.steps.filter(({ action }) => action !== undefined) : []

/**
 * @param lesson the one that the link names; null where there is no such lesson
 * @param meta of the lesson's experiment; null for a lesson of profiles
 * @param hasMend of the lesson
 */
export function readAssignment(
  query: Query,
  lesson: Lesson | null,
  meta: ExperimentMeta | null,
  hasMend: boolean,
): Result<Assignment> {
  const length = new URLSearchParams(query).toString().length
  if (length > MAX_LINK)
    return refuse(`The link is too long: ${String(length)} characters of at most ${String(MAX_LINK)}.`)
  const named = lessonNamed(query)
  if (named === null) return refuse('The link names no lesson.')
  if (!lesson) return refuse(`There is no lesson '${named.slice(0, 40)}'.`)
  for (const name of Object.keys(query))
    if (!NAMES.includes(name) && !name.startsWith(SETTING))
      return refuse(
        `An assignment has no '${name.slice(0, 40)}'; it has ${NAMES.join(', ')}, and settings as ${SETTING}….`,
      )
  const title = (query['title'] ?? '').trim()
  if (title.length > MAX_TITLE) return refuse(`The title has more than ${String(MAX_TITLE)} characters.`)
  const known = stepsToAsk(lesson).map(({ id }) => id)
  const asked = (query['steps'] ?? '').split(',').filter(Boolean)
  const unknown = asked.find((id) => !known.includes(id))
  if (unknown !== undefined)
    return refuse(
      `The lesson '${lesson.id}' has no step '${unknown.slice(0, 40)}' that runs something; it has ${known.join(', ') || 'none'}.`,
    )
  const mend = flagOf(query, 'mend')
  if (!mend.ok) return mend
  if (mend.value && !hasMend && lesson.kind === 'experiment')
    return refuse(`The lesson '${lesson.id}' has no program to mend.`)
  const locked = flagOf(query, 'locked')
  if (!locked.ok) return locked
  const settings = Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) =>
      name.startsWith(SETTING) ? [[name.slice(SETTING.length), value] as const] : [],
    ),
  )
  const values = settingsOf(settings, lesson, meta)
  if (!values.ok) return values
  return succeed({
    lesson: lesson.id,
    title,
    steps: known.filter((id) => asked.includes(id)),
    values: values.value,
    isLocked: locked.value,
    mend: mend.value,
  })
}

/** Checked by the experiment's own schema, and only what differs from the lesson's values is kept. */
function settingsOf(settings: Query, lesson: Lesson, meta: ExperimentMeta | null): Result<ParamValues> {
  if (lesson.kind !== 'experiment' || !meta)
    return Object.keys(settings).length === 0
      ? succeed({})
      : refuse(`The lesson '${lesson.id}' runs nothing, so it has no settings.`)
  const parsed = parseParams(meta, { ...lesson.values, ...settings })
  if (!parsed.ok) return parsed
  const own = parseParams(meta, lesson.values)
  const isOwn = (name: string) =>
    own.ok && formatParam(own.value[name] ?? '') === formatParam(parsed.value[name] ?? '')
  return succeed(
    Object.fromEntries(
      Object.entries(parsed.value).filter(([name]) => Object.hasOwn(settings, name) && !isOwn(name)),
    ),
  )
}
