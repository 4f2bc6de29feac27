/**
 * Parameter values <-> the query of an address: only what differs from the values that a page
 * stands for is written. Pure.
 */
import type { Result } from '../../../base/fault'
import {
  formatParam,
  parseParams,
  type ExperimentMeta,
  type ParamValues,
} from '../../../experiments/experiment'
import { type Query, lessonRoute, type Route } from '../../state/url'
import type { ExperimentLesson } from '../../../lessons/lesson'

/** The bench with these settings, and nothing measured. */
export const benchRoute = (meta: ExperimentMeta, params: ParamValues): Route => ({
  page: 'run',
  id: meta.id,
  query: queryFromValues(meta, {}, params),
})

/** The same of a lesson. @param at a step, or FIRST_RUN */
export function settingsRoute(
  { id, values, steps }: Pick<ExperimentLesson, 'id' | 'values' | 'steps'>,
  meta: ExperimentMeta,
  at: string,
  params: ParamValues,
): Route {
  const step = steps.find((each) => each.id === at)
  const own = { ...values, ...step?.action?.values }
  return lessonRoute(id, step ? 'change' : 'see', step?.id, queryFromValues(meta, own, params))
}

/** Values of an address over those of the page; the first bad one is a fault, and nothing runs. */
export const valuesFromQuery = (meta: ExperimentMeta, base: ParamValues, query: Query): Result<ParamValues> =>
  parseParams(meta, { ...base, ...query })

const isSameValue = (a: ParamValues[string] | undefined, b: ParamValues[string] | undefined): boolean =>
  a !== undefined && b !== undefined && formatParam(a) === formatParam(b)

/** Names of the parameters in which two sets of values differ. */
export const differences = (meta: ExperimentMeta, a: ParamValues, b: ParamValues): readonly string[] =>
  meta.params
    .map(({ name }) => name)
    .filter((name) => !isSameValue(a[name] ?? defaultOf(meta, name), b[name] ?? defaultOf(meta, name)))

const defaultOf = (meta: ExperimentMeta, name: string) =>
  meta.params.find((param) => param.name === name)?.default

export const queryFromValues = (meta: ExperimentMeta, base: ParamValues, values: ParamValues): Query =>
  Object.fromEntries(
    differences(meta, base, values).map((name) => [
      name,
      formatParam(values[name] ?? defaultOf(meta, name) ?? ''),
    ]),
  )

/** Labels of the parameters in which a run differs from the lesson's own. */
export const changedFrom = (
  lesson: Pick<ExperimentLesson, 'values'>,
  meta: ExperimentMeta,
  params: ParamValues,
): readonly string[] => {
  const names = differences(meta, params, lesson.values)
  return meta.params.filter(({ name }) => names.includes(name)).map(({ label }) => label.toLowerCase())
}
