/**
 * A loader's worker: makes the batches that it is asked for, one after the other, and notes when.
 * What waits stands in its messages.
 */
import { workerScope } from '../base/workers'
import { createBatchMaker, type BatchMaker } from './batch-maker'
import type { LoaderAnswer, LoaderRequest } from './loader'

const scope = workerScope<LoaderRequest, LoaderAnswer>()

let maker: BatchMaker | null = null

scope.addEventListener('message', ({ data: request }) => {
  if (request.type === 'open') {
    maker = createBatchMaker(request.options)
    scope.postMessage({ type: 'opened' })
    return
  }
  if (!maker) throw new Error('It was not opened.')
  const { index, memory } = request
  const startMs = performance.now()
  maker.make(index, new Float32Array(memory))
  const endMs = performance.now()
  const { timeOrigin: timeOriginMs } = performance
  scope.postMessage({ type: 'made', index, memory, timeOriginMs, startMs, endMs }, [memory])
})
