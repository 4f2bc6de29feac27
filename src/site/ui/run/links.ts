/** The address of a run's settings, which whoever opens it runs on their own machine. Pure. */
import { findExperiment } from '../../../experiments/catalog'
import { loadedLesson } from '../../../lessons/load'
import { FIRST_RUN } from '../../state/lesson-runs'
import type { RunState } from '../../state/run-store'
import { lessonRoute, type Route } from '../../state/url'
import { queryFromValues } from './param-query'

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
