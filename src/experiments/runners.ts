/**
 * Runs an experiment by its id. Imported by the worker only. The half of an experiment that
 * prepares its programs is loaded when it is first run: the first page starts the worker, and does
 * not run every experiment.
 */
import { FaultError } from '../base/fault'
import { withTimeout } from '../base/with-timeout'
import type { LabDevice } from '../gpu'
import type { Environment, Report } from '../trace/report'
import type { RunInfo } from '../trace/schema'
import { findExperiment, loadDeclaration } from './catalog'
import { parseParams, type ParamValues } from './experiment'
import { loadProgram, programUrl, type LoadedProgram } from './programs'
import { runDeclared, type RunHooks, type RunRequest } from './run-experiment'
import type { AnyPrepare } from './run-types'

/** A script of the site's own, some kB. */
const LOAD_LIMIT_MS = 30_000

const prepares = import.meta.glob<AnyPrepare>('./*/prepare.ts', { import: 'prepare' })

/**
 * What an experiment runs with. Checks the parameters once more: nothing runs on a bad value,
 * wherever it came from.
 */
async function loadRun(
  id: string,
  params: ParamValues,
): Promise<Pick<RunRequest, 'declaration' | 'prepare' | 'programs' | 'values'>> {
  const meta = findExperiment(id)
  const load = prepares[`./${id}/prepare.ts`]
  if (!meta || !load)
    throw new FaultError({ code: 'parameter', message: `There is no experiment '${id}'.`, data: { id } })
  const checked = parseParams(meta, params)
  if (!checked.ok) throw new FaultError(checked.error)
  const values = checked.value
  const programs = new Map<string, LoadedProgram>()
  for (const variant of meta.variants(values)) {
    const url = programUrl(id, meta.program(variant, values))
    programs.set(
      variant,
      await withTimeout(loadProgram(url), LOAD_LIMIT_MS, 'The site, asked for a program,'),
    )
  }
  const parts = Promise.all([loadDeclaration(meta), load()])
  const [declaration, prepare] = await withTimeout(parts, LOAD_LIMIT_MS, 'The site, asked for an experiment,')
  return { declaration, prepare, programs, values }
}

export async function runExperiment(
  device: LabDevice,
  environment: Environment,
  id: string,
  params: ParamValues,
  hooks: RunHooks,
): Promise<{ readonly report: Report; readonly info: RunInfo }> {
  return await runDeclared({ ...(await loadRun(id, params)), device, environment, hooks })
}

export { describeDevice, measureEnvironment } from './environment'
