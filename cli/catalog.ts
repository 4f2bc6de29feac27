/**
 * The experiments for what runs in Node, where no bundler lists the folders: the same list as
 * src/experiments/catalog.ts.
 */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { metasOf, type Meta } from '../src/experiments/catalog-of'

const FOLDER = join(import.meta.dirname, '../src/experiments')

const modules = readdirSync(FOLDER)
  .map((folder) => pathToFileURL(join(FOLDER, folder, 'meta.ts')))
  .filter((file) => existsSync(file))
  .map(async ({ href }) => [href, (await import(href)) as Readonly<Record<string, unknown>>] as const) // metasOf checks them

export const experiments = metasOf(Object.fromEntries(await Promise.all(modules)))

export const findExperiment = (id: string): Meta | undefined =>
  experiments.find((experiment) => experiment.id === id)
