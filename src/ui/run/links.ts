/** Addresses to send: of settings, which whoever opens it runs on their own machine, and of a run, which shows what the sender saw. Pure. */
import { findExperiment } from '../../experiments/metas'
import { loadedLesson } from '../../lessons/load'
import { FIRST_RUN } from '../../state/lesson-runs'
import type { RunState } from '../../state/run-store'
import { lessonRoute, withRun, type Query, type Route } from '../../state/url'
import { queryFromValues } from './param-query'

/** Where a run is shown, and so where a link to it leads. */
export type SharePlace =
  /** `step` FIRST_RUN: the lesson's own run. */
  | { readonly page: 'lesson'; readonly lesson: string; readonly step: string }
  | { readonly page: 'bench' }
  | { readonly page: 'trace' }

type Run = Pick<RunState, 'experiment' | 'params'>

/** Short: the page with the run's settings, and nothing measured. Null where nothing here could run them. */
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

/** Long: the page with the run itself in the address. */
export function runRoute(place: SharePlace, { experiment }: Pick<Run, 'experiment'>, text: string): Route {
  const query: Query = withRun(text)
  if (place.page === 'lesson')
    return lessonRoute(place.lesson, 'see', place.step === FIRST_RUN ? '' : place.step, query)
  const meta = findExperiment(experiment ?? '')
  return place.page === 'bench' && meta ? { page: 'run', id: meta.id, query } : { page: 'trace', query }
}
