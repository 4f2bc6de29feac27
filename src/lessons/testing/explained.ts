/** The experiment of a lesson, and the reasons for which its words must stand. */
import { experiments } from '../../experiments/testing/catalog'
import type { Declaration } from '../../experiments/declare/experiment'
import type { ExperimentLesson } from '../lesson'

/** Reasons that the lesson's experiment gives. */
export function reasonsOf(lesson: ExperimentLesson): readonly string[] {
  return metaOf(lesson).rules.map(({ reason }) => reason)
}

export function metaOf(lesson: ExperimentLesson): Declaration {
  const meta = experiments.find(({ id }) => id === lesson.experiment)
  if (!meta) throw new Error(`Lesson ${lesson.id} names an experiment that does not exist.`)
  return meta
}
