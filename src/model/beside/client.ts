/** The page's side: a worker for one model of one run. Ended with it: nothing is modelled while something is measured. */
import type { BesideAnswer, BesideRequest } from './protocol'

export type { BesideAnswer, BesideRequest, Modelled, Whose } from './protocol'

/** What is not told by then has no end: the longest of the lab's runs takes some seconds. */
const LIMIT_MS = 60_000

/** Rejects with an AbortError where `signal` ended it. */
export const modelBeside = async (request: BesideRequest, signal: AbortSignal): Promise<BesideAnswer> => {
  const worker = new Worker(new URL('./beside-worker.ts', import.meta.url), {
    type: 'module',
    name: 'lab model beside a run',
  })
  try {
    return await new Promise<BesideAnswer>((resolve, reject) => {
      signal.addEventListener('abort', () => {
        reject(new DOMException('The model was not wanted any more.', 'AbortError'))
      })
      worker.addEventListener('message', ({ data }: MessageEvent<BesideAnswer>) => {
        resolve(data)
      })
      worker.addEventListener('error', ({ message }) => {
        resolve({ why: `The model could not be loaded${message === '' ? '' : `: ${message}`}.` })
      })
      setTimeout(() => {
        resolve({ why: 'The model did not come to an end within a minute.' })
      }, LIMIT_MS)
      worker.postMessage(request)
    })
  } finally {
    worker.terminate()
  }
}
