/**
 * The worker's entry. A dedicated worker, so that drawing the page never disturbs the host lane it
 * measures.
 */
import { workerScope } from '../../base/workers'
import { createRequestHandler } from './handle-requests'
import type { Request, WorkerEvent } from './protocol'

const scope = workerScope<Request, WorkerEvent>()

const handle = createRequestHandler({
  send: (event, transfer = []) => scope.postMessage(event, transfer),
  gpu: () => navigator.gpu,
})
scope.addEventListener('message', ({ data }) => handle(data))
