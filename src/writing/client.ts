/** The page's side of writing a file: one worker a file, so that a long run's export stops nobody from looking at it. */
import { FaultError, type Fault } from '../base/fault'
import type { WritingEvent, WritingRequest } from './protocol'

/** The largest file that can be opened is written in a tenth of it. */
export const WRITING_LIMIT_MS = 300_000

const startWorker = (): Worker =>
  new Worker(new URL('./writing-worker.ts', import.meta.url), { type: 'module', name: 'lab writer' })

/** Rejects with a FaultError. The trace is copied over (60 MB in 30 ms), not given away. `start` is a parameter for tests. */
export const writeInWorker = (request: WritingRequest, start: () => Worker = startWorker): Promise<Blob> =>
  new Promise((resolve, reject) => {
    const worker = start()
    const end = () => {
      clearTimeout(timer)
      worker.terminate()
    }
    const failed = (fault: Fault) => {
      end()
      reject(new FaultError(fault))
    }
    const timer = setTimeout(() => {
      failed({
        code: 'timeout',
        message: `The file was not written within ${String(WRITING_LIMIT_MS / 1000)} s.`,
        hint: 'Try again; the lab’s own format takes least.',
      })
    }, WRITING_LIMIT_MS)
    worker.addEventListener('message', ({ data }: MessageEvent<WritingEvent>) => {
      if (data.type === 'failed') {
        failed(data.fault)
        return
      }
      end()
      resolve(data.file)
    })
    worker.addEventListener('error', ({ message }) => {
      failed({
        code: 'worker',
        message: `The writer stopped: ${message || 'its script did not load, or the file needs more memory than there is'}.`,
        hint: 'Try again; the lab’s own format needs least.',
      })
    })
    worker.postMessage(request)
  })
