/** The halves of the experiments that run, by id. Imported by worker/worker.ts only. */
import { FaultError } from '../base/fault'
import type { LabDevice } from '../engine'
import type { Environment, Report } from '../trace/report'
import type { RunInfo } from '../trace/schema'
import { asyncSubmissionRunner } from './async-submission/run'
import { findExperiment } from './catalog'
import { parseParams, type ParamValues } from './experiment'
import { kernelLadderRunner } from './kernel-ladder/run'
import { overlappedUploadsRunner } from './overlapped-uploads/run'
import { runWith, type RunHooks } from './run-experiment'
import type { Runner } from './run-types'
import { syncStallsRunner } from './sync-stalls/run'
import { worthItRunner } from './worth-it/run'

export const runners: Readonly<Record<string, Runner>> = {
  'async-submission': asyncSubmissionRunner,
  'sync-stalls': syncStallsRunner,
  'overlapped-uploads': overlappedUploadsRunner,
  'worth-it': worthItRunner,
  'kernel-ladder': kernelLadderRunner,
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
  const runner = runners[id]
  if (!meta || !runner)
    throw new FaultError({ code: 'parameter', message: `There is no experiment '${id}'.`, data: { id } })
  const checked = parseParams(meta, params)
  if (!checked.ok) throw new FaultError(checked.error)
  return await runWith(runner, device, environment, meta, checked.value, hooks)
}

export { measureEnvironment } from './environment'
