/** For Vite's own loader (figures.ts). */
import type { Figures } from '../src/text/define-figures'

export const all = import.meta.glob<{ readonly figures: Figures }>(
  ['../src/lessons/**/figures.ts', '../src/experiments/*/figures.ts'],
  { eager: true },
)
