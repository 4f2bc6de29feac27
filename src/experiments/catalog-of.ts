/** From the files of a catalog's folders to its experiments. */
import type { Declaration, Rule } from './declare'

/**
 * @param metas modules by path, '…/<id>/meta.ts'
 * @param verdicts what each '…/<id>/verdict.md' says, by path
 * @throws where a meta.ts exports other than one experiment, or one that is not named as its folder, or has no verdict beside it
 */
export function catalogOf(
  metas: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  verdicts: Readonly<Record<string, readonly Rule[]>>,
): readonly Declaration[] {
  return Object.keys(metas)
    .toSorted()
    .map((path) => {
      const exported = Object.values(metas[path] ?? {})
      const [experiment] = exported
      const folder = path.split('/').at(-2)
      if (exported.length !== 1 || !isExperiment(experiment))
        throw new Error(`${path} must export one experiment and nothing else.`)
      if (experiment.id !== folder)
        throw new Error(`${path} declares '${experiment.id}'; the id is the folder's name.`)
      const verdict = path.replace(/meta\.ts$/, 'verdict.md')
      const rules = verdicts[verdict]
      if (!rules) throw new Error(`There is no ${verdict}.`)
      return { ...experiment, rules }
    })
}

const isExperiment = (value: unknown): value is Omit<Declaration, 'rules'> =>
  typeof value === 'object' && value !== null && 'id' in value && 'metrics' in value && 'measure' in value
