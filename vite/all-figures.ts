/** For Vite's own loader (figures.ts). */
import type { Defined } from './words/named'

export const all = import.meta.glob<Defined>(
  ['../src/lessons/**/figures.ts', '../src/experiments/*/figures.ts'],
  { eager: true },
)
