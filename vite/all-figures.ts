/** For Vite's own loader (figures.ts). */
import type { Figures, AllEvidence } from '../src/text/define-figures'

export const all = import.meta.glob<{ readonly figures: Figures; readonly evidence?: AllEvidence }>(
  ['../src/lessons/**/figures.ts', '../src/experiments/*/figures.ts'],
  { eager: true },
)
