/**
 * The rest of the lab: stores and clients that no page needs to be drawn before it is opened.
 * Loaded by main.tsx. No logic.
 */
import { fail } from '../base/fault'
import { parseParams } from '../experiments/experiment'
import { findExperiment } from '../experiments/catalog'
import { createImportClient, placeLongIn } from './import-worker/client'
import { createAutomation, type Automation } from './state/automation'
import { createLessonRuns } from './state/lesson-runs'
import { createImportStore } from './opened-trace/store'
import { createRunFiles } from './state/run-files'
import { createRunStore, isUnderWay } from './state/run-store'
import type { LocalStore } from './state/storage'
import { storedValues } from './state/stored-values'
import type { AppContext, Shell } from './ui/lab-context'
import type { LabClient } from './worker/client'
import { exportInWorker } from './export-worker/client'

declare global {
  var hostDeviceLab: Automation | undefined
}

export interface LabParts {
  readonly shell: Shell
  readonly client: LabClient
  readonly localStore: LocalStore
}

/** Also puts the automation into `globalThis.hostDeviceLab`. */
export function makeLab({ shell, client, localStore }: LabParts): AppContext {
  const { device } = shell
  const runFiles = createRunFiles(exportInWorker)
  const importer = createImportClient()
  const run = createRunStore(client, { placeLong: placeLongIn(importer) })
  const measuredEnvironment = async () => {
    const measured = device.store.getState().environment ?? (await client.measure())
    device.adopt(measured)
    return measured
  }
  const lab: AppContext = {
    ...shell,
    exerciseParts: {
      localStore,
      load: () => import('../lessons/exercises'),
      environment: async () => {
        await device.describe()
        return device.store.getState().phase === 'unavailable' ? null : await measuredEnvironment()
      },
      quiet: run.cancel,
    },
    run,
    lessonRuns: createLessonRuns(storedValues('host-device-lab-lessons'), runFiles),
    files: runFiles,
    importer,
    opened: createImportStore(importer, run),
  }
  const { opened } = lab
  const tellOffline = () => {
    const isBusy = isUnderWay(run.store.getState().phase) || opened.store.getState().importing !== null
    shell.offline.store.setState({ isBusy })
  }
  run.store.subscribe(tellOffline)
  opened.store.subscribe(tellOffline)
  globalThis.hostDeviceLab = createAutomation({
    client,
    run,
    files: runFiles,
    grade: async (lesson, source, options) => {
      const { grade } = await import('../lessons/exercises')
      return await grade(lesson, source, { ...options, environment: await measuredEnvironment() })
    },
    check: (experiment, raw) => {
      const meta = findExperiment(experiment)
      if (meta) return parseParams(meta, raw)
      return fail({
        code: 'parameter',
        message: `There is no experiment '${experiment}'.`,
        data: { experiment },
      })
    },
  })
  return lab
}
