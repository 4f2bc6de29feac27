/** Composition root: the worker's client, the stores, the page. No logic. */
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { keptTuning } from './base/kept-tuning'
import { fail } from './base/result'
import { findExperiment } from './experiments/catalog'
import { parseParams } from './experiments/experiment'
import { createReadingClient } from './reading/client'
import { createAutomation, type Automation } from './state/automation'
import { createDeviceStore } from './state/device-store'
import { createKeptRunsStore } from './state/kept-runs-store'
import { createLessonStore } from './state/lesson-store'
import { createReadingStore, placeLongIn, readAnyFile } from './state/reading-store'
import { createRouteStore } from './state/route-store'
import { inBackground } from './state/in-background'
import { createRunFiles } from './state/run-files'
import { createRunHistory } from './state/run-history'
import { browserShelf } from './state/run-shelf'
import { createRunStore } from './state/run-store'
import { createMemory } from './state/storage'
import { traceTools } from './state/trace-tools'
import { createTuningStore } from './state/tuning-store'
import { createViewStore } from './state/view-store'
import { App } from './ui/App'
import { LabContext, type Lab } from './ui/lab-context'
import { createLabClient } from './worker/client'
import { writeInWorker } from './writing/client'
import './ui/theme.css'
import './ui/base.css'
import './ui/shell.css'

declare global {
  var hostDeviceLab: Automation | undefined
}

const client = createLabClient()
const memory = createMemory(() => localStorage)
const runFiles = createRunFiles(writeInWorker)
const reader = createReadingClient()
const run = createRunStore(client, traceTools, { placeLong: placeLongIn(reader) })
const lab: Lab = {
  device: createDeviceStore(client),
  run,
  history: createRunHistory(run.store),
  kept: createKeptRunsStore({
    shelf: browserShelf,
    files: runFiles,
    openRun: (bytes, origin) => readAnyFile(reader, bytes, { origin, gaps: 'of-repeats' }),
    readFile: async (file, options) =>
      await readAnyFile(reader, file instanceof Blob ? file : new Uint8Array(await file.arrayBuffer()), {
        ...options,
        origin: 'imported',
        gaps: 'of-repeats',
      }),
  }),
  lessons: createLessonStore(memory),
  tuning: createTuningStore(keptTuning, run.store),
  view: createViewStore(memory),
  route: createRouteStore(window),
  files: runFiles,
  tools: traceTools,
  reader,
  opened: createReadingStore(reader, run),
}

client.setHidden(document.hidden)
document.addEventListener('visibilitychange', () => {
  client.setHidden(document.hidden)
})

globalThis.hostDeviceLab = createAutomation({
  client,
  run: lab.run,
  files: lab.files,
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

inBackground(lab.device.probe(false))
inBackground(lab.kept.refresh())

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <LabContext value={lab}>
      <App />
    </LabContext>
  </StrictMode>,
)
