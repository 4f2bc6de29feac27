/** For Vite's own loader (figures.ts). */
import type { AllEvidence } from '../src/text/define-evidence'
import type { Figures } from '../src/text/define-figures'

export const all = import.meta.glob<{ readonly figures: Figures; readonly evidence?: AllEvidence }>(
  ['../src/lessons/**/figures.ts', '../src/experiments/*/figures.ts'],
  { eager: true },
)
