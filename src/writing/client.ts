/** The page's side of writing a file: one worker a file, so that a long run's export stops nobody from looking at it. */
import { FaultError, type Fault } from '../base/fault'
import type { WritingEvent, WritingRequest } from './protocol'

const startWorker = (): Worker =>
  new Worker(new URL('./writing-worker.ts', import.meta.url), { type: 'module', name: 'lab writer' })

/** Rejects with a FaultError. The trace is copied over (60 MB in 30 ms), not given away. `start` is a parameter for tests. */
export const writeInWorker = (request: WritingRequest, start: () => Worker = startWorker): Promise<Blob> =>
  new Promise((resolve, reject) => {
    const worker = start()
    const failed = (fault: Fault) => {
      worker.terminate()
      reject(new FaultError(fault))
    }
    worker.addEventListener('message', ({ data }: MessageEvent<WritingEvent>) => {
      if (data.type === 'failed') {
        failed(data.fault)
        return
      }
      worker.terminate()
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
