/** Parameter values <-> the query of an address: only what differs from the values that a page stands for is written. Pure. */
import type { Result } from '../../../base/fault'
import {
  formatParam,
  parseParams,
  type ExperimentMeta,
  type ParamValues,
} from '../../../experiments/experiment'
import { type Query, lessonRoute, type Route } from '../../state/url'
import { findExperiment } from '../../../experiments/catalog'
import type { ExperimentLesson } from '../../../lessons/lesson'
import { loadedLesson } from '../../../lessons/load'
import { FIRST_RUN } from '../../state/lesson-runs'
import type { RunState } from '../../state/run-store'

/** Where a run is shown, and so where a link to it leads. */
export type SharePlace =
  /** `step` FIRST_RUN: the lesson's own run. */
  | { readonly page: 'lesson'; readonly lesson: string; readonly step: string }
  | { readonly page: 'bench' }
  | { readonly page: 'trace' }

type Run = Pick<RunState, 'experiment' | 'params'>

/** The page with the run's settings, and nothing measured. Null where nothing here could run them. */
export function settingsRoute(place: SharePlace, { experiment, params }: Run): Route | null {
  const meta = findExperiment(experiment ?? '')
  if (!meta || place.page === 'trace') return null
  if (place.page === 'bench') return { page: 'run', id: meta.id, query: queryFromValues(meta, {}, params) }
  const lesson = loadedLesson(place.lesson)
  if (lesson?.kind !== 'experiment') return null
  if (place.step === FIRST_RUN)
    return lessonRoute(lesson.id, 'see', '', queryFromValues(meta, lesson.values, params))
  const step = lesson.steps.find(({ id }) => id === place.step)
  const own = { ...lesson.values, ...step?.action?.values }
  return lessonRoute(lesson.id, 'change', place.step, queryFromValues(meta, own, params))
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
