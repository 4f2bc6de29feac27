/** What a lesson's explanation says of a made-up report, and the reasons for which it must have words. */
import { experiments } from '../../experiments/testing/catalog'
import type { Declaration } from '../../experiments/declare'
import { explain } from '../../experiments/testing/explain'
import { findLesson } from './catalog'
import type { Quote } from '../../experiments/declare/quote'
import type { ExperimentLesson } from '../lesson'
import { fakeQuote, fakeReport, type FakeOptions } from './fake-quote'

/** Reasons that the lesson's experiment gives. */
export function reasonsOf(lesson: ExperimentLesson): readonly string[] {
  return metaOf(lesson).rules.map(({ reason }) => reason)
}

export function metaOf(lesson: ExperimentLesson): Declaration {
  const meta = experiments.find(({ id }) => id === lesson.experiment)
  if (!meta) throw new Error(`Lesson ${lesson.id} names an experiment that does not exist.`)
  return meta
}

/** Fails rather than skips where a lesson is gone. */
export function lessonOf(id: string): ExperimentLesson {
  const lesson = findLesson(id)
  if (lesson?.kind !== 'experiment') throw new Error(`There is no lesson ${id} with an experiment.`)
  return lesson
}

export const explained = (
  lesson: ExperimentLesson,
  options: FakeOptions,
): { text: string; quote: Quote & { asked: Set<string> } } => {
  const quote = fakeQuote(fakeReport(lesson, metaOf(lesson), options), options.origin)
  return { text: explain(metaOf(lesson), quote).join('\n'), quote }
}
