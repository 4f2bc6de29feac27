/** One experiment at a time, as a lesson needs it: the first page is no larger for the others. All at once: metas.ts. */
import { loadOnce } from '../base/load-once'
import { metasOf, type Meta } from './catalog-of'

const metas = import.meta.glob<Record<string, unknown>>('./*/meta.ts')

/** Rejects where there is no such experiment, or its file cannot be loaded. */
export const { load: loadMeta } = loadOnce(async (id): Promise<Meta> => {
  const path = `./${id}/meta.ts`
  const module = await metas[path]?.()
  const [meta] = module ? metasOf({ [path]: module }) : []
  if (!meta) throw new Error(`There is no experiment '${id}'.`)
  return meta
})
