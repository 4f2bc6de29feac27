/** All experiments with the rules of their verdicts, for tests. */
import { metasOf, withRules } from '../catalog-of'
import type { Declaration, Rule } from '../declare/experiment'

const verdicts = import.meta.glob<readonly Rule[]>('../*/verdict.md', { eager: true, import: 'rules' })

export const experiments: readonly Declaration[] = metasOf(
  import.meta.glob<Record<string, unknown>>('../*/meta.ts', { eager: true }),
).map((meta) => {
  const path = `../${meta.id}/verdict.md`
  return withRules(meta, verdicts[path], path)
})
