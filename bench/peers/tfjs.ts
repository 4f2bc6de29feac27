/**
 * TensorFlow.js on its WebGPU backend. `matMul` encodes at once and submits after every 15
 * dispatches (WEBGPU_DEFERRED_SUBMIT_BATCH_SIZE in dist/flags_webgpu.js, recordAndSubmit in
 * dist/backend_webgpu.js); what is disposed of before its submit is freed after it.
 */
import { backend, enableProdMode, matMul, ready, setBackend, tensor2d } from '@tensorflow/tfjs-core'
import { WebGPUBackend } from '@tensorflow/tfjs-backend-webgpu'
import { ResultRing, type Contender, type Library, type Operands } from '../page/contender'

async function start(): Promise<WebGPUBackend> {
  enableProdMode()
  if (!(await setBackend('webgpu'))) throw new Error('its backend webgpu did not start')
  await ready()
  const started = backend()
  if (!(started instanceof WebGPUBackend)) throw new Error('its backend is not the one of WebGPU')
  return started
}

export async function openTfjs(): Promise<Library> {
  const gpu = await start()
  /**
   * Submits what waits for its batch to fill: the backend's own steps before a readback
   * (getBufferData in dist/backend_webgpu.js).
   */
  const flush = (): void => {
    gpu.ensureCommandEncoderReady()
    gpu.endComputePassEncoder()
    gpu.submitQueue()
  }
  const prepare = ({ shape, a, b, resultsAlive }: Operands): Promise<Contender> => {
    const left = tensor2d(a, [shape.m, shape.k])
    const right = tensor2d(b, [shape.k, shape.n])
    gpu.uploadToGPU(left.dataId)
    gpu.uploadToGPU(right.dataId)
    const results = new ResultRing<ReturnType<typeof matMul>>(resultsAlive, (result) => result.dispose())
    return Promise.resolve({
      kernel: 'matMul',
      device: gpu.device,
      unit: 1,
      enqueue: (products) => {
        for (let i = 0; i < products; i += 1) results.push(matMul(left, right))
        flush()
        return Promise.resolve()
      },
      newest: () => {
        const { resource } = gpu.tensorMap.get(results.newest().dataId)
        if (resource instanceof GPUBuffer) return resource
        throw new Error('its result is not on the device')
      },
      release: async () => {
        results.release()
        left.dispose()
        right.dispose()
        flush()
        await gpu.device.queue.onSubmittedWorkDone()
        // It keeps every buffer it ever had for reuse; the next shape has no use for these.
        gpu.bufferManager.dispose()
      },
    })
  }
  return { device: gpu.device, prepare }
}
