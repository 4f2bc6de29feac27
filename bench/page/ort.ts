/**
 * ONNX Runtime Web with its native WebGPU execution provider, built with JSPI. A session's run
 * encodes, submits and returns before the device is done, since inputs and outputs are buffers on
 * the device (lib/wasm/wasm-core-impl.ts: run, IO binding). One run costs the host some 0.7 ms, far
 * more than one dispatch. So the model holds `unit` products, as a real model holds many operators,
 * and the run is captured and replayed (enableGraphCapture): 20 µs a product. Its graph is not
 * optimised, for that would merge equal products into one.
 */
import * as ort from 'onnxruntime-web/jspi'
import wasmUrl from 'onnxruntime-web/ort-wasm-simd-threaded.jspi.wasm?url'
import { matmulModel, outputName } from '../../src/gpu/kernels/cpu/matmul-model'
import type { Contender, Library, Operands } from './contender'

async function startDevice(): Promise<GPUDevice> {
  ort.env.wasm.wasmPaths = { wasm: new URL(wasmUrl, location.href).href }
  ort.env.wasm.numThreads = 1
  // The device exists as long as a session does, so this one is never released.
  await ort.InferenceSession.create(matmulModel({ m: 1, n: 1, k: 1 }, 1), { executionProviders: ['webgpu'] })
  return await ort.env.webgpu.device
}

function upload(device: GPUDevice, data: Float32Array<ArrayBuffer>, dims: readonly number[]): ort.Tensor {
  const buffer = device.createBuffer({
    size: Math.ceil(data.byteLength / 16) * 16,
    usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST,
  })
  device.queue.writeBuffer(buffer, 0, data)
  return ort.Tensor.fromGpuBuffer(buffer, { dataType: 'float32', dims })
}

export async function openOrt(): Promise<Library> {
  const device = await startDevice()
  const prepare = async ({ shape, a, b, resultsAlive }: Operands): Promise<Contender> => {
    const { m, n, k } = shape
    const unit = resultsAlive
    const session = await ort.InferenceSession.create(matmulModel(shape, unit), {
      // By name alone, capture would not reach the provider (lib/wasm/session-options.ts).
      executionProviders: [{ name: 'webgpu' }],
      enableGraphCapture: true,
      graphOptimizationLevel: 'disabled',
    })
    const feeds = { A: upload(device, a, [m, k]), B: upload(device, b, [k, n]) }
    // Its own outputs, bound at the first run: with those of the caller, a captured run mistakes
    // one for the other by and by (lib/wasm/wasm-core-impl.ts compares handles that were freed).
    let results: Readonly<Record<string, ort.Tensor>> = {}
    const disposeResults = (): void => {
      for (const tensor of Object.values(results)) tensor.dispose()
      results = {}
    }
    return {
      kernel: 'MatMul',
      device,
      unit,
      enqueue: async (products) => {
        for (let done = 0; done < products; done += unit) {
          disposeResults()
          results = await session.run(feeds)
        }
      },
      newest: () => {
        const tensor = results[outputName(unit - 1)]
        if (!tensor) throw new Error('nothing was multiplied yet')
        return tensor.gpuBuffer
      },
      release: async () => {
        disposeResults()
        await session.release()
        await device.queue.onSubmittedWorkDone()
        for (const tensor of Object.values(feeds)) tensor.gpuBuffer.destroy()
      },
    }
  }
  return { device, prepare }
}
