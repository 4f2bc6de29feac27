/**
 * Libraries that nobody here wrote, in a page, with a recorder under them or without. What they call of WebGPU is counted by the page itself,
 * above the recorder; record-libraries.spec.ts holds both against each other.
 */
import type * as Jax from '@jax-js/jax'
import { add, enableProdMode, matMul, ready, relu, setBackend, tensor2d } from '@tensorflow/tfjs-core'
import '@tensorflow/tfjs-backend-webgpu'
import type * as Ort from 'onnxruntime-web/webgpu'
import { matmulModel, outputName } from '../../bench/page/onnx-model'
import type * as PageRecorder from '../../src/recorder/page'

/** As its package has it, with the files that it loads itself: the spec serves these. */
const published = (file: string): Promise<unknown> =>
  import(/* @vite-ignore */ new URL(file, location.href).href)

const STEPS = 3
const [M, N, K] = [24, 16, 32]
const filled = (count: number): Float32Array<ArrayBuffer> =>
  Float32Array.from({ length: count }, (_, index) => ((index * 7) % 11) - 5)

async function tensorflow(): Promise<readonly number[]> {
  enableProdMode()
  if (!(await setBackend('webgpu'))) throw new Error('TensorFlow.js has no backend webgpu')
  await ready()
  const output: number[] = []
  for (let step = 0; step < STEPS; step += 1) {
    const product = matMul(tensor2d(filled(M * K), [M, K]), tensor2d(filled(K * N), [K, N]))
    output.push(...(await relu(add(product, step)).data()))
  }
  return output
}

/** A model made by hand: three products of the same operands. */
async function onnxRuntime(): Promise<readonly number[]> {
  const { env, InferenceSession, Tensor } = (await published('ort/ort.webgpu.bundle.min.mjs')) as typeof Ort
  env.wasm.numThreads = 1
  const session = await InferenceSession.create(matmulModel({ m: M, n: N, k: K }, 3), {
    executionProviders: ['webgpu'],
    graphOptimizationLevel: 'disabled',
  })
  const output: number[] = []
  for (let step = 0; step < STEPS; step += 1) {
    const results = await session.run({
      A: new Tensor('float32', filled(M * K), [M, K]),
      B: new Tensor('float32', filled(K * N), [K, N]),
    })
    for (let index = 0; index < 3; index += 1)
      output.push(...((await results[outputName(index)]?.getData()) as Float32Array))
  }
  return output
}

async function jax(): Promise<readonly number[]> {
  const { blockUntilReady, defaultDevice, init, numpy } = (await published('jax/index.js')) as typeof Jax
  if (!(await init('webgpu')).includes('webgpu')) throw new Error('jax-js has no backend webgpu')
  defaultDevice('webgpu')
  const output: number[] = []
  for (let step = 0; step < STEPS; step += 1) {
    const left = numpy.array(filled(M * K), { shape: [M, K] })
    const right = numpy.array(filled(K * N), { shape: [K, N] })
    await blockUntilReady([left, right])
    const product = numpy.tanh(numpy.matmul(left, right))
    output.push(...((await product.data()) as Float32Array))
  }
  return output
}

const libraries = { tensorflow, onnxRuntime, jax }

/** What is counted of both, by the recorder's names. */
const CALLS = {
  submits: ['GPUQueue', 'submit'],
  'compute passes': ['GPUCommandEncoder', 'beginComputePass'],
  dispatches: ['GPUComputePassEncoder', 'dispatchWorkgroups'],
  'writeBuffer calls': ['GPUQueue', 'writeBuffer'],
  'buffers made': ['GPUDevice', 'createBuffer'],
  'bind groups made': ['GPUDevice', 'createBindGroup'],
  'bind group sets': ['GPUComputePassEncoder', 'setBindGroup'],
  'shader modules made': ['GPUDevice', 'createShaderModule'],
  'pipelines made': ['GPUDevice', 'createComputePipeline'],
  'pipelines made asynchronously': ['GPUDevice', 'createComputePipelineAsync'],
} as const
type Counts = Record<keyof typeof CALLS, number>

/** @returns the counts so far, and what ends the counting */
function counted(): { readonly counts: Counts; readonly end: () => void } {
  const counts = Object.fromEntries(Object.keys(CALLS).map((what) => [what, 0])) as Counts // of all
  const ends = Object.entries(CALLS).map(([what, [owner, member]]) => {
    const prototype = globalThis[owner].prototype as unknown as Record<
      string,
      (...args: unknown[]) => unknown
    >
    const before = prototype[member]
    if (!before) throw new Error(`${owner} has no ${member}`)
    prototype[member] = function (...args) {
      counts[what as keyof Counts] += 1
      return before.apply(this, args)
    }
    return () => {
      prototype[member] = before
    }
  })
  return {
    counts,
    end: () => {
      for (const end of ends) end()
    },
  }
}

const librariesLab = {
  async run(name: keyof typeof libraries, recorderUrl: string | null) {
    const recorder = recorderUrl === null ? null : ((await published(recorderUrl)) as typeof PageRecorder)
    recorder?.start()
    const { counts, end } = counted()
    const output = await libraries[name]()
    end()
    if (!recorder) return { counts, output, saved: '' }
    await recorder.stop()
    const bytes = new Uint8Array(await (await recorder.save()).arrayBuffer())
    let saved = ''
    for (const byte of bytes) saved += String.fromCharCode(byte)
    return { counts, output, saved: btoa(saved) }
  },
}
export type LibrariesLab = typeof librariesLab
Object.assign(globalThis, { librariesLab })
