/**
 * Libraries that nobody here wrote, in a page, with a recorder under them or without. What they call of WebGPU is counted by the page itself,
 * above the recorder; record-libraries.spec.ts holds both against each other.
 */
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

// What is used of each: their own types are installed with the benches.
interface Values {
  readonly data: () => Promise<Float32Array>
}
interface TensorFlow {
  readonly enableProdMode: () => void
  readonly setBackend: (name: string) => Promise<boolean>
  readonly ready: () => Promise<void>
  readonly tensor2d: (values: Float32Array, shape: readonly number[]) => Values
  readonly matMul: (a: Values, b: Values) => Values
  readonly add: (a: Values, b: number) => Values
  readonly relu: (a: Values) => Values
}
interface Jax {
  readonly init: (backend: string) => Promise<readonly string[]>
  readonly defaultDevice: (backend: string) => void
  readonly blockUntilReady: (arrays: readonly Values[]) => Promise<unknown>
  readonly numpy: {
    readonly array: (values: Float32Array, options: { readonly shape: readonly number[] }) => Values
    readonly matmul: (a: Values, b: Values) => Values
    readonly tanh: (a: Values) => Values
  }
}

async function tensorflow(): Promise<readonly number[]> {
  const { add, enableProdMode, matMul, ready, relu, setBackend, tensor2d } = (await published(
    'tensorflow/bundle.js',
  )) as TensorFlow
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
  const { blockUntilReady, defaultDevice, init, numpy } = (await published('jax/index.js')) as Jax
  if (!(await init('webgpu')).includes('webgpu')) throw new Error('jax-js has no backend webgpu')
  defaultDevice('webgpu')
  const output: number[] = []
  for (let step = 0; step < STEPS; step += 1) {
    const left = numpy.array(filled(M * K), { shape: [M, K] })
    const right = numpy.array(filled(K * N), { shape: [K, N] })
    await blockUntilReady([left, right])
    const product = numpy.tanh(numpy.matmul(left, right))
    output.push(...(await product.data()))
  }
  return output
}

interface Three {
  readonly WebGPURenderer: new (options: object) => {
    readonly init: () => Promise<unknown>
    readonly setRenderTarget: (target: object) => void
    readonly render: (scene: object, camera: object) => void
    readonly readRenderTargetPixelsAsync: (
      target: object,
      ...place: readonly number[]
    ) => Promise<ArrayLike<number>>
  }
  readonly RenderTarget: new (width: number, height: number) => object
  readonly Scene: new () => { readonly add: (child: object) => void }
  readonly PerspectiveCamera: new (...view: readonly number[]) => {
    readonly position: { readonly set: (...place: readonly number[]) => void }
  }
  readonly BoxGeometry: new (...size: readonly number[]) => object
  readonly MeshBasicMaterial: new (options: { readonly color: number }) => object
  readonly Mesh: new (
    geometry: object,
    material: object,
  ) => {
    readonly position: { readonly set: (...place: readonly number[]) => void }
    readonly rotation: { x: number; y: number }
  }
}

const BOXES = 300
const PIXELS = 64
const ROW = 20

/** Boxes that turn, drawn into a texture: SwiftShader's process ends at a canvas', with a recorder and without (Chromium 156). */
async function three(): Promise<readonly number[]> {
  const all = (await published('three/three.webgpu.js')) as Three
  const renderer = new all.WebGPURenderer({ canvas: document.createElement('canvas') })
  await renderer.init()
  const target = new all.RenderTarget(PIXELS, PIXELS)
  renderer.setRenderTarget(target)
  const scene = new all.Scene()
  const camera = new all.PerspectiveCamera(60, 1, 0.1, 100)
  camera.position.set(0, 0, 16)
  const geometry = new all.BoxGeometry(0.6, 0.6, 0.6)
  const boxes = Array.from({ length: BOXES }, (_, index) => {
    const color = ((index % ROW) + 1) * 0x0c_07_03
    const box = new all.Mesh(geometry, new all.MeshBasicMaterial({ color }))
    box.position.set((index % ROW) - ROW / 2, Math.floor(index / ROW) - BOXES / ROW / 2, 0)
    scene.add(box)
    return box
  })
  const output: number[] = []
  for (let frame = 0; frame < STEPS; frame += 1) {
    await new Promise((next) => requestAnimationFrame(next))
    for (const [index, { rotation }] of boxes.entries()) {
      rotation.x = (frame + index) / 10
      rotation.y = (frame + index) / 7
    }
    renderer.render(scene, camera)
  }
  output.push(...Array.from(await renderer.readRenderTargetPixelsAsync(target, 0, 0, PIXELS, PIXELS)))
  return output
}

const libraries = { tensorflow, onnxRuntime, jax, three }

/** What is counted of both, by the recorder's names. */
const CALLS = [
  ['submits', 'GPUQueue', 'submit'],
  ['compute passes', 'GPUCommandEncoder', 'beginComputePass'],
  ['render passes', 'GPUCommandEncoder', 'beginRenderPass'],
  ['dispatches', 'GPUComputePassEncoder', 'dispatchWorkgroups'],
  ['draws', 'GPURenderPassEncoder', 'draw'],
  ['draws', 'GPURenderPassEncoder', 'drawIndexed'],
  ['writeBuffer calls', 'GPUQueue', 'writeBuffer'],
  ['buffers made', 'GPUDevice', 'createBuffer'],
  ['textures made', 'GPUDevice', 'createTexture'],
  ['texture views made', 'GPUTexture', 'createView'],
  ['bind groups made', 'GPUDevice', 'createBindGroup'],
  ['bind group sets', 'GPUComputePassEncoder', 'setBindGroup'],
  ['bind group sets', 'GPURenderPassEncoder', 'setBindGroup'],
  ['shader modules made', 'GPUDevice', 'createShaderModule'],
  ['pipelines made', 'GPUDevice', 'createComputePipeline'],
  ['pipelines made', 'GPUDevice', 'createRenderPipeline'],
  ['pipelines made asynchronously', 'GPUDevice', 'createComputePipelineAsync'],
  ['pipelines made asynchronously', 'GPUDevice', 'createRenderPipelineAsync'],
] as const
type Counts = Record<(typeof CALLS)[number][0], number>

/** @returns the counts so far, and what ends the counting */
function counted(): { readonly counts: Counts; readonly end: () => void } {
  const counts = Object.fromEntries(CALLS.map(([what]) => [what, 0])) as Counts // of all
  const ends = CALLS.map(([what, owner, member]) => {
    const prototype = globalThis[owner].prototype as unknown as Record<
      string,
      (...args: unknown[]) => unknown
    >
    const before = prototype[member]
    if (!before) throw new Error(`${owner} has no ${member}`)
    prototype[member] = function (...args) {
      counts[what] += 1
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
