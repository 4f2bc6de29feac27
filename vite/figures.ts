/** Each figures.ts of a lesson and of an experiment, run while the site is built. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { runnerImport } from 'vite'
import type * as modules from './all-figures'
import { once } from './once'
import { namesOf, unsaid, type Defined, type Names } from './words/named'

const SOURCE = resolve(import.meta.dirname, '../src')

const NOTHING: Defined = { figures: {} }

/** By file. */
export const allFigures = (): Promise<ReadonlyMap<string, Defined>> =>
  once('figures', async () => {
    // Vite sets NODE_ENV where there is none, and a build that this process starts would inherit
    // it.
    const { NODE_ENV } = process.env
    const { module } = await runnerImport<typeof modules>(join(import.meta.dirname, 'all-figures.ts'), {
      configFile: false,
      logLevel: 'warn',
    })
    if (NODE_ENV === undefined) delete process.env['NODE_ENV']
    return new Map(
      Object.entries(module.all).map(([path, defined]) => [resolve(import.meta.dirname, path), defined]),
    )
  })

/**
 * Beside lesson.md, which its exercise and its choices share, or beside verdict.md; what stands in
 * lessons/ itself shares one.
 */
export function figuresFile(file: string): string {
  const [room = '', folder = '', ...inside] = relative(SOURCE, file).split(sep)
  return join(SOURCE, room, ...(inside.length > 0 ? [folder] : []), 'figures.ts')
}

const definedFor = async (file: string): Promise<Defined> =>
  (await allFigures()).get(figuresFile(file)) ?? NOTHING
/** What the words of this file can name. */
export const namesFor = async (file: string): Promise<Names> => namesOf(await definedFor(file))

/** Names of the figures.ts for this file that no Markdown says. */
export async function unsaidFor(file: string): Promise<readonly string[]> {
  const folder = dirname(figuresFile(file))
  const isTop = dirname(folder) === SOURCE
  const texts = readdirSync(folder, { recursive: !isTop, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => readFileSync(join(folder, path), 'utf8'))
  return unsaid(await definedFor(file), texts)
}
