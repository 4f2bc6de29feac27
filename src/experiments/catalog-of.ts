/** Makes experiments of the files in a catalog's folders. */
import type { Declaration, Rule } from './declare/experiment'

/** An experiment without the rules of its verdict. */
export type Meta = Omit<Declaration, 'rules'>

/**
 * @param metas modules by path, '…/<id>/meta.ts'
 * @throws where a meta.ts does not export one experiment, or one that is not named as its folder
 */
export function metasOf(metas: Readonly<Record<string, Readonly<Record<string, unknown>>>>): readonly Meta[] {
  return Object.keys(metas)
    .toSorted()
    .map((path) => {
      const [experiment, another] = Object.values(metas[path] ?? {}).filter(isExperiment)
      const folder = path.split('/').at(-2)
      if (!experiment || another) throw new Error(`${path} must export one experiment.`)
      if (experiment.id !== folder)
        throw new Error(`${path} declares '${experiment.id}'; the id is the folder's name.`)
      return experiment
    })
}

/** @throws where there are none */
export function withRules(meta: Meta, rules: readonly Rule[] | undefined, path: string): Declaration {
  if (!rules) throw new Error(`There is no ${path}.`)
  return { ...meta, rules }
}

const isExperiment = (value: unknown): value is Meta =>
  typeof value === 'object' && value !== null && 'id' in value && 'metrics' in value && 'measure' in value
