/** What a lesson's explanation says of a made-up report, and the reasons for which it must have words. */
import { findExperiment } from '../../experiments/catalog'
import { explain, type Declaration } from '../../experiments/declare'
import { findLesson } from '../catalog'
import type { Lesson, Quote } from '../lesson'
import { fakeQuote, fakeReport, type FakeOptions } from './fake-quote'

/** Reasons that the lesson's experiment gives. */
export function reasonsOf(lesson: Lesson): readonly string[] {
  return metaOf(lesson).rules.map(({ reason }) => reason)
}

export function metaOf(lesson: Lesson): Declaration {
  const meta = findExperiment(lesson.experiment)
  if (!meta) throw new Error(`Lesson ${lesson.id} names an experiment that does not exist.`)
  return meta
}

/** Fails rather than skips where a lesson is gone. */
export function lessonOf(id: string): Lesson {
  const lesson = findLesson(id)
  if (!lesson) throw new Error(`There is no lesson ${id}.`)
  return lesson
}

export const explained = (
  lesson: Lesson,
  options: FakeOptions,
): { text: string; quote: Quote & { asked: Set<string> } } => {
  const quote = fakeQuote(fakeReport(lesson, metaOf(lesson), options), options.origin)
  return { text: explain(metaOf(lesson), quote).join('\n'), quote }
}

/** Step times as named, else 1; intervals of ±40 %, so that 1 and 1.5 overlap and 1 and 9 do not. */
export const stepTimes = (byVariant: Record<string, number>): Pick<FakeOptions, 'value' | 'spread'> => ({
  value: (name, variant) => (name === 'step-ms' ? (byVariant[variant] ?? 1) : 1),
  spread: 0.4,
})
