/**
 * A dedicated worker's own side: the few members of its scope that are used here; lib.webworker
 * clashes with lib.dom in one program.
 */
export interface WorkerScope<Request, Answer> {
  postMessage: (answer: Answer, transfer?: Transferable[]) => void
  addEventListener: (type: 'message', listener: (event: MessageEvent<Request>) => void) => void
}

export const workerScope = <Request, Answer>(): WorkerScope<Request, Answer> =>
  globalThis as unknown as WorkerScope<Request, Answer> // in a worker it is one
