/** Reads one file off the page's thread, says how far it is, and hands it over. Whatever goes wrong is said as a fault. */
import { toFault, type Fault } from '../base/fault'
import type { Trace } from '../trace/schema'
import type { ReadingEvent, ReadingProgress, ReadingRequest } from './protocol'
import { readTrace } from './read-trace'

/** The few members of DedicatedWorkerGlobalScope used here; lib.webworker clashes with lib.dom in one program. */
interface WorkerScope {
  postMessage: (message: ReadingEvent, transfer: Transferable[]) => void
  addEventListener: (type: 'message', listener: (event: MessageEvent<ReadingRequest>) => void) => void
}
const scope = globalThis as unknown as WorkerScope

const post = (event: ReadingEvent, transfer: readonly ArrayBuffer[] = []) => {
  scope.postMessage(event, [...transfer])
}

/** As often as a bar can be seen to move. */
const PROGRESS_EVERY_MS = 50

function progressPost(): (progress: ReadingProgress) => void {
  let [lastMs, lastPhase] = [-Infinity, '']
  return (progress) => {
    const nowMs = performance.now()
    if (progress.phase === lastPhase && nowMs - lastMs < PROGRESS_EVERY_MS) return
    lastMs = nowMs
    lastPhase = progress.phase
    post({ type: 'progress', progress })
  }
}

/** Arrays that could not be made are the file's size, not a bug. */
const faultOf = (thrown: unknown): Fault =>
  thrown instanceof RangeError
    ? {
        code: 'file',
        message: 'The file needs more memory than this browser gives a page.',
        hint: 'Record a shorter stretch, or read it with `npm run lab -- analyze FILE`.',
        data: { problem: 'too-large', 'the browser says': thrown.message },
      }
    : toFault(thrown)

async function read({ source, ...options }: ReadingRequest): Promise<void> {
  const say = progressPost()
  let taken: Uint8Array | Trace
  try {
    say({ fraction: 0, phase: 'Taking the file in' })
    if (source instanceof Blob) taken = new Uint8Array(await source.arrayBuffer())
    else taken = source instanceof Uint8Array ? source : source.trace
  } catch (thrown) {
    post({
      type: 'failed',
      fault: {
        code: 'file',
        message: `The browser did not hand the file over: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
        hint: 'It may have been moved or changed since it was chosen, or be larger than a page may hold. Choose it again.',
        data: { problem: 'not-handed-over' },
      },
    })
    return
  }
  const read = await readTrace(taken, options, {
    onProgress: say,
    onOpened: (opened, transfer) => {
      post({ type: 'opened', opened }, transfer)
    },
    onGaps: (gaps, transfer) => {
      post({ type: 'gaps', gaps }, transfer)
    },
    onFound: (found, transfer) => {
      post({ type: 'done', found }, transfer)
    },
  })
  if (!read.ok) post({ type: 'failed', fault: read.error })
}

scope.addEventListener('message', ({ data }) => {
  read(data).catch((thrown: unknown) => {
    post({ type: 'failed', fault: faultOf(thrown) })
  })
})
