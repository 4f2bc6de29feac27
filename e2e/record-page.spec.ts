/**
 * `recorder.js` in pages and workers that know nothing of the lab, on real WebGPU: counts equal
 * those that the page takes itself.
 */
import type { Page } from '@playwright/test'
import type * as PageRecorder from '../src/recorder/page'
import { spansOf } from '../src/recorder/testing/spans'
import { decodeRun } from '../src/trace/codec'
import { placeTrace } from '../src/trace/place'
import type { Trace } from '../src/trace/schema'
import { expect, test } from './fixtures'
import { ownPage } from './own-page'
import type { RecorderLab } from './recorder-page/recorder-page'

type RecorderGlobal = typeof globalThis & { readonly recorderLab: RecorderLab }

/**
 * In plain JavaScript, as a page would have it: some frames with a pass each, and what it counted
 * of them itself. It draws on a canvas where the adapter is a GPU: SwiftShader's process ends at a
 * canvas' texture, with a recorder and without (Chromium 156).
 */
const PROGRAM = `
export async function draw(canvas, frames) {
  const adapter = await navigator.gpu?.requestAdapter()
  if (!adapter) throw new Error('This browser gives the page no WebGPU: ' + (navigator.gpu ? 'no adapter.' : 'navigator.gpu is not there.'))
  const device = await adapter.requestDevice()
  const own = { features: [...device.features], frames, draws: 0, writes: 0, presents: 0, errors: [] }
  device.addEventListener('uncapturederror', ({ error }) => own.errors.push(error.message))
  const format = navigator.gpu.getPreferredCanvasFormat()
  const context = adapter.info.isFallbackAdapter ? null : canvas.getContext('webgpu')
  context?.configure({ device, format })
  const target = device.createTexture({ size: [64, 64], format, usage: GPUTextureUsage.RENDER_ATTACHMENT })
  const module = device.createShaderModule({ code: \`
    @group(0) @binding(0) var<uniform> shift: vec4f;
    @vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f { return vec4f(f32(i & 1u), f32(i >> 1u), 0.0, 1.0) + shift; }
    @fragment fn fs() -> @location(0) vec4f { return vec4f(1.0, 0.0, 0.0, 1.0); }\` })
  const pipeline = device.createRenderPipeline({ layout: 'auto', vertex: { module }, fragment: { module, targets: [{ format }] } })
  const uniforms = device.createBuffer({ size: 16, usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST })
  const filled = device.createBuffer({ size: 64, usage: GPUBufferUsage.VERTEX, mappedAtCreation: true })
  new Float32Array(filled.getMappedRange()).fill(1)
  filled.unmap()
  const image = new OffscreenCanvas(4, 4)
  image.getContext('2d').fillRect(0, 0, 4, 4)
  const texture = device.createTexture({ size: [4, 4], format: 'rgba8unorm', usage: GPUTextureUsage.COPY_DST | GPUTextureUsage.RENDER_ATTACHMENT })
  device.queue.copyExternalImageToTexture({ source: image }, { texture }, [4, 4])
  const bindGroup = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries: [{ binding: 0, resource: { buffer: uniforms } }] })
  for (let frame = 0; frame < frames; frame += 1) {
    await new Promise((next) => requestAnimationFrame(next))
    device.queue.writeBuffer(uniforms, 0, new Float32Array([frame / frames, 0, 0, 0]))
    own.writes += 1
    if (context) own.presents += 1
    const encoder = device.createCommandEncoder({ label: 'frame' })
    const pass = encoder.beginRenderPass({ label: 'main', colorAttachments: [{ view: (context?.getCurrentTexture() ?? target).createView(), loadOp: 'clear', storeOp: 'store' }] })
    pass.setPipeline(pipeline)
    pass.setBindGroup(0, bindGroup)
    for (let draw = 0; draw < 3; draw += 1) { pass.draw(3); own.draws += 1 }
    pass.end()
    device.queue.submit([encoder.finish()])
  }
  await device.queue.onSubmittedWorkDone()
  texture.destroy()
  return own
}`

interface Own {
  readonly features: readonly string[]
  readonly frames: number
  readonly draws: number
  readonly writes: number
  readonly presents: number
  readonly errors: readonly string[]
}

const openOwnPage = ownPage('recorder', 'recorderLab')
test.beforeEach(async ({ page }) => {
  await page.route('**/program.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: PROGRAM }),
  )
  await openOwnPage(page)
})

const FRAMES = 5

async function traceOf(base64: string): Promise<Trace> {
  const run = await decodeRun(Buffer.from(base64, 'base64'))
  if (!run.ok) throw new Error(run.error.message)
  return run.value.trace
}

function total({ counters }: Trace, name: string): number {
  let sum = 0
  for (const value of counters.find((counter) => counter.name === name)?.value ?? []) sum += value
  return sum
}

function expectAllOf(trace: Trace, own: Own): void {
  expect([own.features, own.errors]).toEqual([['core-features-and-limits'], []])
  expect(total(trace, 'draws')).toBe(own.draws)
  expect(total(trace, 'writeBuffer calls')).toBe(own.writes)
  expect(total(trace, 'writeBuffer bytes')).toBe(own.writes * 16)
  expect(total(trace, 'presents')).toBe(own.presents)
  expect(total(trace, 'mappedAtCreation bytes')).toBe(64)
  expect(total(trace, 'copyExternalImageToTexture calls')).toBe(1)
  expect(total(trace, 'textures destroyed')).toBe(1)
  expect(spansOf(trace, { kind: 'submit' })).toHaveLength(own.frames)
  expect(spansOf(trace, { kind: 'window' })).toHaveLength(own.frames - 1)
  expect(spansOf(trace, { role: 'render-pass' }).map(({ name }) => name)).toEqual(
    Array.from({ length: own.frames }, () => 'main'),
  )
  expect(placeTrace(trace).fitProblems.filter((problem) => problem !== null)).toEqual([])
  expect(trace.rejected).toEqual({})
}

const inPage = (page: Page) =>
  page.evaluate(async (frames) => {
    const { remember, changed } = (globalThis as RecorderGlobal).recorderLab
    remember()
    const load = (file: string): Promise<unknown> => import(new URL(file, location.href).href)
    const recorder = (await load('recorder.js')) as typeof PageRecorder
    const { draw } = (await load('program.js')) as {
      draw: (canvas: HTMLCanvasElement, frames: number) => Promise<Own>
    }
    const loaded = changed()
    recorder.start()
    const during = changed()
    recorder.mark('begun')
    const own = await draw(document.createElement('canvas'), frames)
    await recorder.stop()
    const after = changed()
    const bytes = new Uint8Array(await (await recorder.save()).arrayBuffer())
    return { loaded, during, after, own, saved: btoa(String.fromCharCode(...bytes)) }
  }, FRAMES)

test('in a page: nothing is patched until start, all is recorded, everything is as before after stop', async ({
  page,
}) => {
  const { loaded, during, after, own, saved } = await inPage(page)
  expect(loaded).toEqual([])
  expect(during).toEqual(
    expect.arrayContaining(['GPUQueue.prototype.submit', 'GPURenderPassEncoder.prototype.draw']),
  )
  expect(after).toEqual([])
  const trace = await traceOf(saved)
  expectAllOf(trace, own)
  expect(trace.instants.length).toBe(1)
  expect(trace.info).toMatchObject({
    experiment: 'page',
    params: { in: 'page' },
    derived: { devices: 1, frames: FRAMES },
  })
  const sites = Object.entries(trace.info.derived).flatMap(([name, text]) =>
    name.startsWith('site') ? [String(text)] : [],
  )
  expect(sites.filter((site) => site.includes('program.js'))).toHaveLength(sites.length)
  expect(sites.some((site) => site.includes('"submit"'))).toBe(true)
})

test('in a module worker, on a canvas that it was given', async ({ page }) => {
  await page.route('**/worker.js', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: `import { start, stop, save } from './recorder.js'
import { draw } from './program.js'
onmessage = async ({ data }) => {
  start()
  const own = await draw(data.canvas, data.frames)
  await stop()
  const bytes = new Uint8Array(await (await save()).arrayBuffer())
  postMessage({ own, saved: btoa(String.fromCharCode(...bytes)) })
}`,
    }),
  )
  const { own, saved } = await page.evaluate(
    (frames) =>
      new Promise<{ own: Own; saved: string }>((resolve, reject) => {
        const worker = new Worker(new URL('worker.js', location.href), { type: 'module' })
        worker.onmessage = ({ data }) => {
          resolve(data as { own: Own; saved: string }) // what it posts
        }
        worker.onerror = ({ message }) => reject(new Error(message))
        const canvas = document.createElement('canvas').transferControlToOffscreen()
        worker.postMessage({ canvas, frames }, [canvas])
      }),
    FRAMES,
  )
  const trace = await traceOf(saved)
  expectAllOf(trace, own)
  expect(trace.info.params).toMatchObject({ in: 'worker' })
})

/** Of another origin than the site, and trustworthy to the browser as that is. */
const OTHER_SITE = 'http://other.localhost/'

test('openInLab: a page of another site shows its recording in the lab, which is isolated', async ({
  page,
  context,
  baseURL,
}) => {
  const bodies: Readonly<Record<string, string>> = {
    'program.js': PROGRAM,
    'recorder.js': await (await page.request.get('./recorder.js')).text(),
    '': `<!doctype html><button>open</button><script type="module">
import { start, openInLab } from './recorder.js'
import { draw } from './program.js'
start()
await draw(document.createElement('canvas'), ${String(FRAMES)})
const button = document.querySelector('button')
button.onclick = () => openInLab(${JSON.stringify(baseURL)}).then(() => { button.textContent = 'given' }, ({ message }) => { button.textContent = message })
button.textContent = 'ready'
</script>`,
  }
  await context.route(`${OTHER_SITE}**`, (route) => {
    const name = new URL(route.request().url()).pathname.slice(1)
    const contentType = name.endsWith('.js') ? 'text/javascript' : 'text/html'
    return route.fulfill({ contentType, body: bodies[name] ?? '' })
  })
  await page.goto(OTHER_SITE)
  const [lab] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('button', { name: 'ready' }).click(),
  ])
  await expect(page.getByRole('button')).toHaveText('given')
  await expect(lab.getByRole('heading', { level: 1 })).toHaveText('a recording from another page')
  await expect(lab.locator('canvas').first()).toBeVisible()
  expect(await lab.evaluate(() => crossOriginIsolated)).toBe(true)
  expect(new URL(lab.url()).pathname).toBe('/trace/')
  // It lies in this browser: read again, it is the same.
  await lab.reload()
  await expect(lab.locator('canvas').first()).toBeVisible()
  // Opened by nobody, it says so.
  await lab.goto(`${String(baseURL)}open.html`)
  await expect(lab.getByRole('status')).toContainText('Nothing arrived')
})
