/** Every rule, in the order of the page. */
import type { Rule } from '../rule'
import { COPIES } from './copies'
import { LAUNCHES } from './launches'
import { LOADERS } from './loaders'
import { PAUSES } from './pauses'
import { RANKS } from './ranks'
import { READS } from './reads'
import { SIZES } from './sizes'

export const RULES: readonly Rule[] = [
  ...READS,
  ...SIZES,
  ...COPIES,
  ...LOADERS,
  ...PAUSES,
  ...LAUNCHES,
  ...RANKS,
]
