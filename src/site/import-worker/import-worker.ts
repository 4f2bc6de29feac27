/** Reads one file, or those of several ranks, off the page's thread, says how far it is, and hands it over. Whatever goes wrong is said as a fault. */
import { restBy, restWhile } from '../../base/give-way'
import { succeed, type Result } from '../../base/result'
import { workerScope } from '../../base/worker-scope'
import type { ImportEvent, ImportProgress, ImportRequest, ImportSettings } from './protocol'
import { readTrace, type ImportListener, type TraceSource } from './read-trace'
import { pageBudget, sourceOfBlob, thrownFault } from './opened-file'

const scope = workerScope<ImportRequest, ImportEvent>()

const post = (event: ImportEvent, transfer: readonly ArrayBuffer[] = []) => {
  scope.postMessage(event, [...transfer])
}

/** As often as a bar can be seen to move. */
const PROGRESS_EVERY_MS = 50

function progressPost(): (progress: ImportProgress) => void {
  let [lastMs, lastPhase] = [-Infinity, '']
  return (progress) => {
    const nowMs = performance.now()
    if (!progress.sketch && progress.phase === lastPhase && nowMs - lastMs < PROGRESS_EVERY_MS) return
    lastMs = nowMs
    lastPhase = progress.phase
    post({ type: 'progress', progress })
  }
}

function take(source: ImportRequest['source']): Result<TraceSource> {
  if (source instanceof Blob) return sourceOfBlob(source, pageBudget())
  return succeed('trace' in source ? source.trace : source)
}

/** Not async, as readTrace: such a frame would keep the bytes that were handed over. */
const readTaken = (
  taken: Result<TraceSource>,
  options: ImportSettings,
  listener: ImportListener,
): Result<void> | Promise<Result<void>> => (taken.ok ? readTrace(taken.value, options, listener) : taken)

async function read({ source, inputs, ...options }: ImportRequest): Promise<void> {
  const say = progressPost()
  say({ fraction: 0, phase: 'Taking the file in' })
  const listener: ImportListener = {
    onProgress: say,
    onOpened: (opened, transfer) => {
      post({ type: 'opened', opened }, transfer)
      if (inputs) restBy(restWhile(inputs))
    },
    onGaps: (gaps, transfer) => {
      post({ type: 'gaps', gaps }, transfer)
    },
    onEvidences: (evidences, transfer) => {
      post({ type: 'evidences', evidences }, transfer)
    },
    onFound: (found, transfer) => {
      post({ type: 'done', found }, transfer)
    },
  }
  const read = await readTaken(take(source), options, listener)
  if (!read.ok) post({ type: 'failed', fault: read.error })
}

scope.addEventListener('message', ({ data }) => {
  read(data).catch((thrown: unknown) => {
    post({ type: 'failed', fault: thrownFault(thrown) })
  })
})
