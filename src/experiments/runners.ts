/**
 * The halves of the experiments that run, by id. Imported by worker/worker.ts only. Each is loaded when it is first run: the first
 * page starts the worker, and does not run five experiments.
 */
import { FaultError } from '../base/fault'
import type { LabDevice } from '../engine'
import type { Environment, Report } from '../trace/report'
import type { RunInfo } from '../trace/schema'
import { findExperiment } from './catalog'
import { parseParams, type ParamValues } from './experiment'
import { runWith, type RunHooks } from './run-experiment'
import type { Runner } from './run-types'

export const runners: Readonly<Record<string, () => Promise<Runner>>> = {
  'async-submission': async () => (await import('./async-submission/run')).asyncSubmissionRunner,
  'sync-stalls': async () => (await import('./sync-stalls/run')).syncStallsRunner,
  'overlapped-uploads': async () => (await import('./overlapped-uploads/run')).overlappedUploadsRunner,
  'worth-it': async () => (await import('./worth-it/run')).worthItRunner,
}

/** Checks the parameters once more: nothing runs on a bad value, wherever it came from. */
export async function runExperiment(
  device: LabDevice,
  environment: Environment,
  id: string,
  params: ParamValues,
  hooks: RunHooks,
): Promise<{ readonly report: Report; readonly info: RunInfo }> {
  const meta = findExperiment(id)
  const load = runners[id]
  if (!meta || !load)
    throw new FaultError({ code: 'parameter', message: `There is no experiment '${id}'.`, data: { id } })
  const checked = parseParams(meta, params)
  if (!checked.ok) throw new FaultError(checked.error)
  return await runWith(await load(), device, environment, meta, checked.value, hooks)
}

export { measureEnvironment } from './environment'
