/** An experiment on the model, loaded by itself: its declaration, what prepares it, its programs' own files. For `lab model` and `bench model`. */
import { existsSync } from 'node:fs'
import { register } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { metasOf } from '../src/experiments/catalog-of'
import { parseParams } from '../src/experiments/experiment'
import type { LoadedProgram } from '../src/experiments/programs'
import type { Prepare } from '../src/experiments/run-types'
import type { ParamValues } from '../src/experiments/experiment'
import type { PrepareRank } from '../src/experiments/serve-rank'
import type { Program } from '../src/lab/lab'
import type { Card } from '../src/model/card'
import type { ModelledRun } from '../src/model/run-model'
import { CommandError } from './terminal.mjs'

// Kernels import their WGSL as text.
register('./raw-hooks.mjs', import.meta.url)

const EXPERIMENTS = join(import.meta.dirname, '../src/experiments')

export interface ModelRequest {
  readonly experiment: string
  readonly card: Card
  /** What is not given is the experiment's default. */
  readonly values: Readonly<Record<string, unknown>>
  /** A program of the caller's own, in place of every variant's; null: the lab's. */
  readonly file?: string | null
}

const load = async (path: string): Promise<Readonly<Record<string, unknown>>> =>
  (await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>

/** @throws CommandError where there is no such experiment, it does not take the values, or the model cannot run it. */
export async function modelledRun({
  experiment,
  card,
  values,
  file = null,
}: ModelRequest): Promise<ModelledRun> {
  const folder = join(EXPERIMENTS, experiment)
  const metaPath = join(folder, 'meta.ts')
  if (!/^[a-z-]+$/.test(experiment) || !existsSync(metaPath))
    throw new CommandError(`There is no experiment '${experiment}'; npm run lab -- list has them.`, 2)
  const [meta] = metasOf({ [metaPath.replaceAll('\\', '/')]: await load(metaPath) })
  if (!meta) throw new Error(`${metaPath} has no experiment.`)
  // Once: a model has no noise, so that a second time says the same.
  const once = meta.params.some(({ name }) => name === 'repeats') ? { repeats: 1 } : {}
  const parsed = parseParams(meta, { ...once, ...values })
  if (!parsed.ok) throw new CommandError(parsed.error.message, 2)
  const { prepare } = (await load(join(folder, 'prepare.ts'))) as { readonly prepare: Prepare<ParamValues> }
  const programs = new Map<string, LoadedProgram>()
  for (const variant of meta.variants(parsed.value)) {
    const path = file ?? join(folder, 'programs', `${meta.program(variant, parsed.value)}.js`)
    const { default: program } = (await load(path)) as { readonly default: Program }
    programs.set(variant, { url: pathToFileURL(path).href, program })
  }
  const rankPath = join(folder, 'prepare-rank.ts')
  const loadRank = async () =>
    existsSync(rankPath)
      ? ((await load(rankPath)) as { readonly prepareRank: PrepareRank }).prepareRank
      : null
  const { runModel, whyNotModelled } = await import('../src/model/run-model')
  const declaration = { ...meta, rules: [] }
  try {
    return await runModel(card, { declaration, prepare, programs, values: parsed.value, loadRank })
  } catch (thrown) {
    const why = whyNotModelled(thrown)
    throw why === null ? thrown : new CommandError(why, 1)
  }
}
