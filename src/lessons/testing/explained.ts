/** What a lesson's explanation says of a made-up report, and the reasons for which it must have words. */
import { findExperiment } from '../../experiments/catalog'
import type { ExperimentMeta } from '../../experiments/experiment'
import { isDeclared } from '../../experiments/declare'
import { findLesson } from '../catalog'
import { explainRun } from '../explain-run'
import type { Lesson, Quote } from '../lesson'
import { fakeQuote, fakeReport, type FakeOptions } from './fake-quote'

/** Verdict reasons of the experiments that do not declare their rules yet. A new one needs its branch in the lesson's explain.ts. */
export const undeclaredReasons: Readonly<Record<string, readonly string[]>> = {
  'worth-it': [
    'rule-misses-latency',
    'rule-holds',
    'rule-undecided',
    'rule-misses',
    'rule-unknown',
    'gpu-always-wins',
    'cpu-always-wins',
    'sizes-too-small',
    'intervals-overlap',
    'nothing-to-compare',
  ],
}

/** Reasons that the lesson's experiment gives. */
export function reasonsOf(lesson: Lesson): readonly string[] {
  const meta = metaOf(lesson)
  return isDeclared(meta) ? meta.rules.map(({ reason }) => reason) : (undeclaredReasons[meta.id] ?? [])
}

export function metaOf(lesson: Lesson): ExperimentMeta {
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
  return { text: explainRun(lesson, metaOf(lesson), quote).join('\n'), quote }
}

/** Step times as named, else 1; intervals of ±40 %, so that 1 and 1.5 overlap and 1 and 9 do not. */
export const stepTimes = (byVariant: Record<string, number>): Pick<FakeOptions, 'value' | 'spread'> => ({
  value: (name, variant) => (name === 'step-ms' ? (byVariant[variant] ?? 1) : 1),
  spread: 0.4,
})
