/** The experiments for what runs in Node, where no bundler lists the folders: the same list as src/experiments/catalog.ts. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { catalogOf } from '../src/experiments/catalog-of'
import type { Declaration } from '../src/experiments/declare'

const FOLDER = join(import.meta.dirname, '../src/experiments')

const metas = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => join(FOLDER, name, 'meta.ts'))
  .filter((path) => existsSync(path))

export const experiments: readonly Declaration[] = catalogOf(
  Object.fromEntries(
    await Promise.all(
      metas.map(async (path) => {
        // A module's exports, whatever they are: catalogOf checks them.
        const module = (await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>
        return [path.replaceAll('\\', '/'), module] as const
      }),
    ),
  ),
)

export const findExperiment = (id: string): Declaration | undefined =>
  experiments.find((experiment) => experiment.id === id)
