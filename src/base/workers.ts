/** Both sides of a worker: the page's, which gives it one task and watches it, and its own. */

/**
 * Why a task ended without a last word. `message`: what the browser said of a worker that died;
 * often ''.
 */
export type TaskFailure =
  | { readonly type: 'cancelled' | 'silent' | 'not-cloned' }
  | { readonly type: 'died'; readonly message: string }

interface WorkerTask<Answer, Ending> {
  readonly request: unknown
  /** Ms without an answer that are too long. */
  readonly silenceMs: number
  /** Aborted: the worker is ended at once. */
  readonly signal?: AbortSignal | undefined
  /** The task's ending where this was its last answer; null: more follow. */
  readonly onMessage: (answer: Answer) => Ending | null
  readonly onFailure: (why: TaskFailure) => Ending
}

/**
 * One worker for one task: it is given a request, says what it has to say, and is ended with its
 * last word, or when it cannot go on. Never rejects.
 */
export const runInWorker = <Answer, Ending>(
  worker: Worker,
  { request, silenceMs, signal, onMessage, onFailure }: WorkerTask<Answer, Ending>,
): Promise<Ending> =>
  new Promise((resolve) => {
    const end = (ending: Ending) => {
      watch.stop()
      signal?.removeEventListener('abort', cancel)
      worker.terminate()
      resolve(ending)
    }
    const cancel = () => end(onFailure({ type: 'cancelled' }))
    const watch = startWatchdog(silenceMs, () => end(onFailure({ type: 'silent' })))
    signal?.addEventListener('abort', cancel)
    worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
      watch.reset()
      const ending = onMessage(data)
      if (ending !== null) end(ending)
    })
    worker.addEventListener('error', ({ message }) => end(onFailure({ type: 'died', message })))
    worker.addEventListener('messageerror', () => end(onFailure({ type: 'not-cloned' })))
    worker.postMessage(request)
  })

/** Notices that another thread, which owes an answer, has said nothing for too long. */

export interface Watchdog {
  /** It has said something: the time begins anew. */
  readonly reset: () => void
  readonly stop: () => void
}

const TICK_MS = 1000

/**
 * Calls `silent` once, and ends. A machine that sleeps is not silent: a tick counts for two at
 * most.
 */
export function startWatchdog(limitMs: number, silent: () => void): Watchdog {
  let last = performance.now()
  let silentMs = 0
  const timer = setInterval(() => {
    const now = performance.now()
    silentMs += Math.min(now - last, 2 * TICK_MS)
    last = now
    if (silentMs < limitMs) return
    clearInterval(timer)
    silent()
  }, TICK_MS)
  return {
    reset: () => (silentMs = 0),
    stop: () => clearInterval(timer),
  }
}

/** Calls `failed` once the worker dies, with why. */
export function whenDead(worker: Worker, failed: (why: string) => void): void {
  worker.onerror = (event: Event) => {
    event.preventDefault()
    // A script that does not load gives an event without a message.
    failed((event as Partial<ErrorEvent>).message || 'its script did not load')
  }
}

/**
 * A dedicated worker's own side: the few members of its scope that are used here; lib.webworker
 * clashes with lib.dom in one program.
 */
interface WorkerScope<Request, Answer> {
  postMessage: (answer: Answer, transfer?: Transferable[]) => void
  addEventListener: (type: 'message', listener: (event: MessageEvent<Request>) => void) => void
}

export const workerScope = <Request, Answer>(): WorkerScope<Request, Answer> =>
  globalThis as unknown as WorkerScope<Request, Answer> // in a worker it is one
