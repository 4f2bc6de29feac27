/** The worker's entry. A dedicated worker, so that drawing the page never disturbs the host lane it measures. */
import { keptTuning } from '../base/kept-tuning'
import { createRequestHandler } from './handle-requests'
import type { Request, WorkerEvent } from './protocol'

/** The few members of DedicatedWorkerGlobalScope used here; lib.webworker clashes with lib.dom in one program. */
interface WorkerScope {
  postMessage: (message: WorkerEvent, transfer?: Transferable[]) => void
  addEventListener: (type: 'message', listener: (event: MessageEvent<Request>) => void) => void
  readonly navigator: { readonly gpu?: GPU }
}
const scope = globalThis as unknown as WorkerScope

const handle = createRequestHandler({
  send: (event, transfer = []) => {
    scope.postMessage(event, transfer)
  },
  gpu: () => scope.navigator.gpu,
  tuningMemory: keptTuning,
})
scope.addEventListener('message', ({ data }) => {
  handle(data)
})
