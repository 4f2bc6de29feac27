/** All experiments with the rules of their verdicts, for tests. */
import { catalogOf } from '../catalog-of'
import type { Declaration, Rule } from '../declare/experiment'

export const experiments: readonly Declaration[] = catalogOf(
  import.meta.glob<Record<string, unknown>>('../*/meta.ts', { eager: true }),
  import.meta.glob<readonly Rule[]>('../*/verdict.md', { eager: true, import: 'rules' }),
)
