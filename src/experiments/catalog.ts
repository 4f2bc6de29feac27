/**
 * All experiments: each folder with a meta.ts and a verdict.md is one, and its name is the id. The
 * rules of verdicts, whose words are many, are loaded where one is given or explained. This list is
 * made by the bundler: cli/catalog.ts is the one for Node.
 */
import { metasOf, withRules, type Meta } from './catalog-of'
import type { Declaration, Rule } from './declare/experiment'

export type { Meta }

export const experiments: readonly Meta[] = metasOf(
  import.meta.glob<Record<string, unknown>>('./*/meta.ts', { eager: true }),
)

export const findExperiment = (id: string): Meta | undefined =>
  experiments.find((experiment) => experiment.id === id)

/** That of a lesson. @throws where there is no such experiment */
export function metaOf(id: string): Meta {
  const meta = findExperiment(id)
  if (!meta) throw new Error(`There is no experiment '${id}'.`)
  return meta
}

const verdicts = import.meta.glob<readonly Rule[]>('./*/verdict.md', { import: 'rules' })

/** With its rules. Throws where they cannot be loaded. */
export async function loadDeclaration(meta: Meta): Promise<Declaration> {
  const path = `./${meta.id}/verdict.md`
  return withRules(meta, await verdicts[path]?.(), path)
}
