/** One worker for one task: it is given a request, says what it has to say, and is ended with its last word, or when it cannot go on. */
import { watchSilence } from './silence'

/** Why a task ended without a last word. `message`: what the browser said of a worker that died; often ''. */
export type TaskBreak =
  | { readonly type: 'cancelled' | 'silent' | 'not-cloned' }
  | { readonly type: 'died'; readonly message: string }

export interface WorkerTask<Answer, Ending> {
  readonly request: unknown
  readonly transfer?: Transferable[]
  /** Ms without an answer that are too long. */
  readonly silenceMs: number
  /** Aborted: the worker is ended at once. */
  readonly signal?: AbortSignal | undefined
  /** The task's ending where this was its last answer; null: more follow. */
  readonly take: (answer: Answer) => Ending | null
  readonly broken: (why: TaskBreak) => Ending
}

/** Never rejects. */
export const runInWorker = <Answer, Ending>(
  worker: Worker,
  { request, transfer = [], silenceMs, signal, take, broken }: WorkerTask<Answer, Ending>,
): Promise<Ending> =>
  new Promise((resolve) => {
    const end = (ending: Ending) => {
      watch.end()
      signal?.removeEventListener('abort', cancel)
      worker.terminate()
      resolve(ending)
    }
    const cancel = () => {
      end(broken({ type: 'cancelled' }))
    }
    const watch = watchSilence(silenceMs, () => {
      end(broken({ type: 'silent' }))
    })
    signal?.addEventListener('abort', cancel)
    worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
      watch.heard()
      const ending = take(data)
      if (ending !== null) end(ending)
    })
    worker.addEventListener('error', ({ message }) => {
      end(broken({ type: 'died', message }))
    })
    worker.addEventListener('messageerror', () => {
      end(broken({ type: 'not-cloned' }))
    })
    worker.postMessage(request, transfer)
  })
