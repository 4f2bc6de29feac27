/**
 * The page of `npm run bench -- recorder frames`: frames of 300 draws in plain WebGPU. Each lasts as long as the display's; what is timed is
 * the callback, in which the page and WebGPU hold the host.
 */
import * as recorder from '../src/recorder/page'
import { DRAWS, TRIAL_FRAMES, WARM_UP_FRAMES, type FrameArm, type FrameLoad } from './recorder-arms'

/** Of a uniform buffer's binding (WebGPU §3.6.2). */
const STRIDE = 256
const OBJECT_FLOATS = 16
const TARGET = 256
const nothing = (): void => undefined

const CODE = `@group(0) @binding(0) var<uniform> object: mat4x4f;
@vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
  return object * vec4f(f32(i & 1u) * 0.01, f32(i >> 1u) * 0.01, 0.0, 1.0);
}
@fragment fn fs() -> @location(0) vec4f { return vec4f(1.0, 0.5, 0.0, 1.0); }`

async function open(asks: boolean) {
  const adapter = await navigator.gpu.requestAdapter()
  if (!adapter) throw new Error('There is no adapter.')
  const device = await adapter.requestDevice()
  const format = navigator.gpu.getPreferredCanvasFormat()
  // SwiftShader's process ends at a canvas' texture, with a recorder and without (Chromium 156).
  const context = adapter.info.isFallbackAdapter
    ? null
    : document.body.appendChild(document.createElement('canvas')).getContext('webgpu')
  context?.configure({ device, format })
  const texture = device.createTexture({
    size: [TARGET, TARGET],
    format,
    usage: GPUTextureUsage.RENDER_ATTACHMENT,
  })
  const module = device.createShaderModule({ code: CODE })
  const pipeline = await device.createRenderPipelineAsync({
    layout: 'auto',
    vertex: { module },
    fragment: { module, targets: [{ format }] },
  })
  const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST
  const uniforms = device.createBuffer({ size: DRAWS * STRIDE, usage })
  const groups = Array.from({ length: DRAWS }, (_, at) =>
    device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: [{ binding: 0, resource: { buffer: uniforms, offset: at * STRIDE, size: OBJECT_FLOATS * 4 } }],
    }),
  )
  const object = new Float32Array(OBJECT_FLOATS).fill(0.5)

  const draw = (writes: boolean): void => {
    if (writes)
      for (let at = 0; at < DRAWS; at += 1) {
        object[0] = at
        device.queue.writeBuffer(uniforms, at * STRIDE, object)
      }
    const encoder = device.createCommandEncoder({ label: 'frame' })
    const view = (context?.getCurrentTexture() ?? texture).createView()
    const pass = encoder.beginRenderPass({
      label: 'main',
      colorAttachments: [{ view, loadOp: 'clear', storeOp: 'store' }],
    })
    for (const group of groups) {
      pass.setPipeline(pipeline)
      pass.setBindGroup(0, group)
      pass.draw(3)
    }
    pass.end()
    device.queue.submit([encoder.finish()])
    if (asks) device.queue.onSubmittedWorkDone().then(nothing, nothing)
  }
  /** ms of each callback. */
  const frames = (count: number, writes: boolean): Promise<readonly number[]> =>
    new Promise((resolve) => {
      const times: number[] = []
      const frame = (): void => {
        const start = performance.now()
        draw(writes)
        times.push(performance.now() - start)
        if (times.length < count) requestAnimationFrame(frame)
        else resolve(times)
      }
      requestAnimationFrame(frame)
    })
  return { adapterName: [adapter.info.vendor, adapter.info.architecture].filter(Boolean).join(' '), frames }
}

const isRecorded = (arm: FrameArm): boolean => arm === 'recorded' || arm === 'with timestamps'

let page: ReturnType<typeof open> | null = null

const frameBench = {
  /** Before the page asks for its device, as a page has it. @returns the adapter's name */
  prepare: async (arm: FrameArm, load: FrameLoad): Promise<string> => {
    if (isRecorded(arm)) recorder.start({ timestamps: arm === 'with timestamps' })
    page = open(arm === 'question alone')
    const { adapterName, frames } = await page
    await frames(WARM_UP_FRAMES, load === 'writes')
    return adapterName
  },
  run: async (load: FrameLoad): Promise<readonly number[]> =>
    (await page)?.frames(TRIAL_FRAMES, load === 'writes') ?? [],
  /** @returns the recording in base64; null where there is none */
  finish: async (arm: FrameArm): Promise<string | null> => {
    if (!isRecorded(arm)) return null
    const bytes = new Uint8Array(await (await recorder.save()).arrayBuffer())
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  },
}

export type FrameBenchGlobal = typeof globalThis & { frameBench: typeof frameBench }
;(globalThis as FrameBenchGlobal).frameBench = frameBench
