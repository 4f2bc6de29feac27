/** From the modules of a catalog's folders to its experiments. */
import type { Declaration } from './declare'

/**
 * @param modules by path, '…/<id>/meta.ts'
 * @throws where a meta.ts exports other than one experiment, or one that is not named as its folder
 */
export function catalogOf(
  modules: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): readonly Declaration[] {
  return Object.keys(modules)
    .toSorted()
    .map((path) => {
      const exported = Object.values(modules[path] ?? {})
      const [experiment] = exported
      const folder = path.split('/').at(-2)
      if (exported.length !== 1 || !isExperiment(experiment))
        throw new Error(`${path} must export one experiment and nothing else.`)
      if (experiment.id !== folder)
        throw new Error(`${path} declares '${experiment.id}'; the id is the folder's name.`)
      return experiment
    })
}

const isExperiment = (value: unknown): value is Declaration =>
  typeof value === 'object' && value !== null && 'id' in value && 'metrics' in value && 'rules' in value
