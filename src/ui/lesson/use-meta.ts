import { use } from 'react'
import type { Meta } from '../../experiments/catalog-of'
import { loadMeta } from '../../experiments/load-meta'

/** Suspends while the experiment's declaration is loaded; at once where it was loaded before the page is drawn. */
export const useMeta = (id: string): Meta => use(loadMeta(id))
