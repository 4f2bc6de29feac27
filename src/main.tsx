/** Composition root: the worker's client, the stores, the page. No logic. */
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { keptTuning } from './base/kept-tuning'
import { fail } from './base/result'
import { parseParams } from './experiments/experiment'
import { createReadingClient } from './reading/client'
import { createAutomation, type Automation } from './state/automation'
import { createDeviceStore } from './state/device-store'
import { createKeptRunsStore } from './state/kept-runs-store'
import { createLessonRuns } from './state/lesson-runs'
import { createLessonStore } from './state/lesson-store'
import { browserTab } from './state/mend-run-marker'
import { createOfflineStore } from './state/offline-store'
import { createReadingStore, placeLongIn, readAnyFile } from './state/reading-store'
import { createRouteStore } from './state/route-store'
import { inBackground } from './state/in-background'
import { createRunFiles } from './state/run-files'
import { createRunHistory } from './state/run-history'
import { browserShelf, lessonShelf } from './state/run-shelf'
import { createRunStore, isUnderWay } from './state/run-store'
import { createMemory } from './state/storage'
import { traceTools } from './state/trace-tools'
import { createTuningStore } from './state/tuning-store'
import { createViewStore } from './state/view-store'
import { App } from './ui/App'
import { keepFocus } from './ui/keep-focus'
import { LabContext, type Lab } from './ui/lab-context'
import { loadFor, prefetch } from './ui/pages'
import { trustOwnScripts } from './base/trusted-scripts'
import { createLabClient } from './worker/client'
import { writeInWorker } from './writing/client'
import './ui/theme.css'
import './ui/base.css'
import './ui/shell.css'

declare global {
  var hostDeviceLab: Automation | undefined
}

trustOwnScripts(document.baseURI)
const client = createLabClient()
const memory = createMemory(() => localStorage)
const tab = browserTab(window)
const runFiles = createRunFiles(writeInWorker)
const reader = createReadingClient()
const run = createRunStore(client, traceTools, { placeLong: placeLongIn(reader) })
const device = createDeviceStore(client)
const measuredEnvironment = async () => {
  const measured = device.store.getState().environment ?? (await client.measure())
  device.adopt(measured)
  return measured
}
const offline = createOfflineStore()
const lab: Lab = {
  device,
  mendParts: {
    memory,
    tab,
    load: () => import('./mend/grade'),
    environment: measuredEnvironment,
    tools: traceTools,
    quiet: () => {
      run.cancel()
    },
  },
  run,
  history: createRunHistory(run.store),
  kept: createKeptRunsStore({
    shelf: browserShelf,
    persist: async () => {
      await (await import('./state/persist')).askToPersist()
    },
    files: runFiles,
    openRun: (bytes, origin) => readAnyFile(reader, bytes, { origin, gaps: 'of-repeats' }),
    readFile: async (file, options) =>
      await readAnyFile(reader, file instanceof Blob ? file : new Uint8Array(await file.arrayBuffer()), {
        ...options,
        origin: 'imported',
        gaps: 'of-repeats',
      }),
  }),
  lessons: createLessonStore(memory, tab),
  lessonRuns: createLessonRuns(lessonShelf, runFiles, traceTools),
  tuning: createTuningStore(keptTuning, run.store),
  view: createViewStore(memory),
  route: createRouteStore(window),
  files: runFiles,
  tools: traceTools,
  reader,
  opened: createReadingStore(reader, run),
  offline,
}

client.setHidden(document.hidden)
document.addEventListener('visibilitychange', () => {
  client.setHidden(document.hidden)
})

globalThis.hostDeviceLab = createAutomation({
  client,
  run: lab.run,
  files: lab.files,
  grade: async (lesson, source, options) => {
    const { grade } = await import('./mend/grade')
    return await grade(lesson, source, { ...options, environment: await measuredEnvironment() })
  },
  check: async (experiment, raw) => {
    const { findExperiment } = await import('./experiments/metas')
    const meta = findExperiment(experiment)
    if (meta) return parseParams(meta, raw)
    return fail({
      code: 'parameter',
      message: `There is no experiment '${experiment}'.`,
      data: { experiment },
    })
  },
})

const startOffline = async () => {
  const { startOffline: start } = await import('./offline/page')
  await start(offline, run.store, isUnderWay)
}
// Before all else where the page is to be loaded again to be isolated (no host's headers): before anything was pressed.
if (!globalThis.crossOriginIsolated) inBackground(startOffline())

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
keepFocus(root)
// The page that is wanted is loaded first: the text of index.html stays until it can be replaced.
inBackground(
  loadFor(lab.route.store.getState().route).then(() => {
    createRoot(root).render(
      <StrictMode>
        <LabContext value={lab}>
          <App />
        </LabContext>
      </StrictMode>,
    )
    // After the first page: the engine's code would come before what can be read and pressed.
    inBackground(lab.device.describe())
    inBackground(lab.kept.refresh())
    prefetch()
    if (globalThis.crossOriginIsolated) inBackground(startOffline())
    inBackground(import('./ui/fonts.css'))
  }),
)
