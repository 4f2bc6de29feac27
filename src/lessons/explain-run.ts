/** What a lesson's page says after a run: the paragraphs of the rule that decided it. */
import { explain, isDeclared } from '../experiments/declare'
import type { ExperimentMeta } from '../experiments/experiment'
import type { Lesson, Prose, Quote } from './lesson'

/** Until every experiment declares rules, a lesson may bring words of its own. */
export function explainRun(lesson: Lesson, experiment: ExperimentMeta | undefined, quote: Quote): Prose {
  if (experiment && isDeclared(experiment)) return explain(experiment, quote)
  return lesson.explain?.(quote) ?? [quote.report.verdict.text]
}
