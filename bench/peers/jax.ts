/**
 * jax-js on WebGPU. An operation only notes what is to be done (PendingExecute in dist/index.js);
 * it reaches the queue when its array is read, awaited or asked for its buffer, each in a submit of
 * its own (pipelineSubmit in dist/webgpu-*.js). What is disposed of before that never runs, so
 * every product here is asked for its buffer, which submits it without waiting
 * (Array.gpuBufferSync).
 */
import {
  type Array as JaxArray,
  blockUntilReady,
  defaultDevice,
  getWebGPUDevice,
  init,
  jit,
  numpy,
} from '@jax-js/jax'
import { ResultRing, type Contender, type Library, type Operands } from '../page/contender'

export async function openJax(): Promise<Library> {
  const started = await init('webgpu')
  if (!started.includes('webgpu')) throw new Error('its backend webgpu did not start')
  defaultDevice('webgpu')
  const device = getWebGPUDevice()
  const prepare = async ({ shape, a, b, resultsAlive }: Operands): Promise<Contender> => {
    const left = numpy.array(a, { shape: [shape.m, shape.k] })
    const right = numpy.array(b, { shape: [shape.k, shape.n] })
    await blockUntilReady([left, right])
    // Traced once: called eagerly, it would derive and hash the same kernel again for each product.
    const multiply = jit((x: JaxArray, y: JaxArray) => numpy.matmul(x, y))
    const results = new ResultRing<JaxArray>(resultsAlive, (result) => result.dispose())
    // Compiles off the queue: what gpuBufferSync compiles, it compiles on the page's own thread.
    const first = multiply(left.ref, right.ref)
    await first.blockUntilReady()
    results.push(first)
    return {
      kernel: 'jit(matmul)',
      device,
      unit: 1,
      enqueue: (products) => {
        for (let i = 0; i < products; i += 1) {
          const result = multiply(left.ref, right.ref)
          result.ref.gpuBufferSync()
          results.push(result)
        }
        return Promise.resolve()
      },
      newest: () => results.newest().ref.gpuBufferSync(),
      release: async () => {
        results.release()
        left.dispose()
        right.dispose()
        multiply.dispose()
        await device.queue.onSubmittedWorkDone()
      },
    }
  }
  return { device, prepare }
}
