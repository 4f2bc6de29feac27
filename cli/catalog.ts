/** The experiments for what runs in Node, where no bundler lists the folders: the same list as src/experiments/catalog.ts, with rules. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { catalogOf } from '../src/experiments/catalog-of'
import type { Declaration } from '../src/experiments/declare/experiment'
import { recordedIn } from '../vite/recorded-figures'
import { filesQuoted, namesOf, type Defined } from '../vite/words/named'
import { parseVerdict } from '../vite/words/verdict'

const FOLDER = join(import.meta.dirname, '../src/experiments')

/** Paths of the files of this name, one in each folder that has it. */
const filesNamed = (name: string): readonly string[] =>
  readdirSync(FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(FOLDER, entry.name, name))
    .filter((path) => existsSync(path))

const byPath = <T>(entries: readonly (readonly [path: string, T])[]): Readonly<Record<string, T>> =>
  Object.fromEntries(entries.map(([path, each]) => [path.replaceAll('\\', '/'), each]))

/** A module's exports, whatever they are: catalogOf checks them. */
const load = async (path: string) =>
  [path, (await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>] as const

const verdicts = filesNamed('verdict.md').map((path) => [path, readFileSync(path, 'utf8')] as const)
const figuresOf = new Map(
  await Promise.all(
    filesNamed('figures.ts').map(async (path) => {
      const [, defined] = await load(path)
      return [dirname(path), defined as unknown as Defined] as const // Vite checks them
    }),
  ),
)
const recordings = await recordedIn([...figuresOf.values()].flatMap(filesQuoted))

export const experiments: readonly Declaration[] = catalogOf(
  byPath(await Promise.all(filesNamed('meta.ts').map(load))),
  byPath(
    verdicts.map(([path, source]) => {
      const names = namesOf(figuresOf.get(dirname(path)) ?? { figures: {} })
      return [path, parseVerdict(source, path, names, recordings.figure)]
    }),
  ),
)

export const findExperiment = (id: string): Declaration | undefined =>
  experiments.find((experiment) => experiment.id === id)
