/**
 * Matmul on the CPU by onnxruntime-web: WebAssembly SIMD, and threads where the page is
 * cross-origin isolated. Loaded only when an experiment asks for it: 14 MB of WebAssembly (3.7 MB
 * over the wire), kept by the worker until the page is closed.
 *
 * Why this library (Chromium 156, one thread of an EPYC, f32 512³, inputs and result in
 * JavaScript's memory, GFLOP/s):
 *   onnxruntime-web 1.30 (MLAS)           25 to 27   releases every few weeks; threads work in a worker: 51 with two at 256³
 *   tfjs-backend-wasm 4.22 (XNNPACK)      27         0.4 MB, but its current release is of 2024; threads break when minified
 *                                                    and gave nothing where they are not
 *   plain TypeScript, 4 × 4 sums          5
 * So speed does not decide between the two, being kept up and having threads do.
 */
import { env, InferenceSession, Tensor } from 'onnxruntime-web/wasm'
import wasmUrl from 'onnxruntime-web/ort-wasm-simd-threaded.wasm?url'
import { matmulModel, outputName } from './matmul-model'

export type Multiply = (a: Float32Array, b: Float32Array, n: number) => Promise<Float32Array>

/** The library starts its threads once in the life of a worker. */
let opened: Promise<Multiply> | null = null

async function open(threads: number): Promise<Multiply> {
  env.wasm.numThreads = threads
  env.wasm.wasmPaths = { wasm: wasmUrl }
  const session = await InferenceSession.create(matmulModel({ m: 'm', n: 'n', k: 'k' }), {
    executionProviders: ['wasm'],
  })
  return async (a, b, n) => {
    const feeds = { A: new Tensor('float32', a, [n, n]), B: new Tensor('float32', b, [n, n]) }
    const result = (await session.run(feeds))[outputName(0)]
    if (!(result?.data instanceof Float32Array)) throw new Error('onnxruntime-web gave no f32 result')
    return result.data
  }
}

/**
 * Rejects where WebAssembly SIMD is missing or a file cannot be fetched; the next call then tries
 * again.
 */
export function openMultiply(threads: number): Promise<Multiply> {
  opened ??= open(threads).catch((thrown: unknown) => {
    opened = null
    throw thrown
  })
  return opened
}
