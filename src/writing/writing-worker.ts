/** Writes one file off the page's thread. Whatever goes wrong is said as a fault. */
import { toFault } from '../base/fault'
import { writeFile } from './formats'
import type { WritingEvent, WritingRequest } from './protocol'

/** The few members of DedicatedWorkerGlobalScope used here; lib.webworker clashes with lib.dom in one program. */
interface WorkerScope {
  postMessage: (message: WritingEvent) => void
  addEventListener: (type: 'message', listener: (event: MessageEvent<WritingRequest>) => void) => void
}
const scope = globalThis as unknown as WorkerScope

scope.addEventListener('message', ({ data: { kind, trace, report } }) => {
  writeFile(kind, { trace, report }).then(
    (file) => {
      scope.postMessage({ type: 'done', file })
    },
    (thrown: unknown) => {
      scope.postMessage({ type: 'failed', fault: toFault(thrown) })
    },
  )
})
