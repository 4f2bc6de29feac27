/**
 * The page 'Method': how the lab measures, what its bounds mean and what it does not claim. Words only; the figures of a run are in its
 * report. Whoever changes how something is measured changes method.md with it.
 */
import type { Section } from './lesson'
import { sections } from './method.md'

export const method: readonly Section[] = sections
