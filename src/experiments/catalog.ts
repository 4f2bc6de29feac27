/**
 * All experiments: each folder with a meta.ts and a verdict.md is one, and its name is the id. Safe on the main thread. This list is made
 * by the bundler; what runs in Node without one (command line, end-to-end tests) uses cli/catalog.ts.
 */
import { catalogOf } from './catalog-of'
import type { Declaration, Rule } from './declare'

export const experiments: readonly Declaration[] = catalogOf(
  import.meta.glob<Record<string, unknown>>('./*/meta.ts', { eager: true }),
  import.meta.glob<readonly Rule[]>('./*/verdict.md', { eager: true, import: 'rules' }),
)
