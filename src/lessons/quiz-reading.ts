/** Picks the run that a question is about. Pure. */
import { holds } from '../text/condition'
import { type Reading, readingOf } from '../text/template'
import type { QuizItem } from './lesson'

/** The run's own where the premise holds there, else that of the recording. */
export function readingOfItem(
  { premise }: Pick<QuizItem, 'premise'>,
  own: Reading,
  names: (facts: Reading['facts']) => Reading['names'],
): Reading {
  if (!premise || holds(premise.when, own.facts, own.names)) return own
  const { facts } = premise.recorded
  return readingOf(facts, names(facts))
}
