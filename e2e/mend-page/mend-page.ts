/**
 * Learners' WGSL with fuel, and a program's budget, in a real browser. Each function gives plain data; mend-wgsl.spec.ts asks the
 * questions.
 */
import { openDevice } from '../../src/gpu'
import { calibrationKernels, dataKernels, matmuls, type KernelCase } from './kernel-cases'
import { kernelCall } from '../../src/gpu/kernels/kernel'
import { createBudget, type Budget } from '../../src/exercises/budget/budget'
import type { Limits } from '../../src/exercises/budget/limits'
import { addFuel } from '../../src/exercises/wgsl/fuel'

const AMPLE = 1_000_000

async function open(): Promise<GPUDevice> {
  const device = await (await navigator.gpu.requestAdapter())?.requestDevice()
  if (!device) throw new Error('no device')
  return device
}

let shared: Promise<GPUDevice> | null = null
const theDevice = (): Promise<GPUDevice> => (shared ??= openDevice(navigator.gpu).then(({ gpu }) => gpu))

function withFuel(source: string, perInvocation: number): string {
  const fueled = addFuel(source, perInvocation)
  if (!fueled.ok) throw new Error(JSON.stringify(fueled.error))
  return fueled.value.code
}

async function errorsOf(device: GPUDevice, code: string): Promise<readonly string[]> {
  device.pushErrorScope('validation')
  const { messages } = await device.createShaderModule({ code }).getCompilationInfo()
  await device.popErrorScope()
  return messages.filter(({ type }) => type === 'error').map(({ message }) => message)
}

interface Dispatch {
  readonly code: string
  readonly entryPoint?: string
  readonly constants?: Readonly<Record<string, number>>
  /** Bindings in order; the last is read back. */
  readonly bindings: readonly { readonly words: Uint32Array<ArrayBuffer>; readonly isUniform?: boolean }[]
  readonly workgroups: readonly [number, number, number]
}

async function run(device: GPUDevice, dispatch: Dispatch): Promise<Uint32Array> {
  const { code, entryPoint, constants = {}, bindings, workgroups } = dispatch
  const module = device.createShaderModule({ code })
  const pipeline = await device.createComputePipelineAsync({
    layout: 'auto',
    compute: { module, ...(entryPoint === undefined ? {} : { entryPoint }), constants: { ...constants } },
  })
  const buffers = bindings.map(({ words, isUniform }) => {
    const usage = GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC
    const kind = isUniform ? GPUBufferUsage.UNIFORM : GPUBufferUsage.STORAGE
    const buffer = device.createBuffer({ size: words.byteLength, usage: usage | kind })
    device.queue.writeBuffer(buffer, 0, words)
    return buffer
  })
  const output = buffers.at(-1)
  if (!output) throw new Error('nothing to read')
  const readback = device.createBuffer({ size: output.size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST }) // oxfmt-ignore
  const encoder = device.createCommandEncoder()
  const pass = encoder.beginComputePass()
  pass.setPipeline(pipeline)
  const entries = buffers.map((buffer, binding) => ({ binding, resource: { buffer } }))
  pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }))
  pass.dispatchWorkgroups(...workgroups)
  pass.end()
  encoder.copyBufferToBuffer(output, 0, readback, 0, output.size)
  device.queue.submit([encoder.finish()])
  await readback.mapAsync(GPUMapMode.READ)
  const words = new Uint32Array(readback.getMappedRange().slice(0))
  for (const buffer of [...buffers, readback]) buffer.destroy()
  return words
}

const floats = (count: number, seed: number): Uint32Array<ArrayBuffer> =>
  new Uint32Array(
    Float32Array.from({ length: count }, (_, i) => ((i * 7919 + seed * 104_729) % 257) / 128 - 1).buffer,
  )

/** Whether a kernel gives the same words with ample fuel as without; null where the device does not offer what it needs. */
async function sameResult({ kernel, shape, inputs, output }: KernelCase): Promise<boolean | null> {
  const opened = await openDevice(navigator.gpu)
  if (kernel.supports(opened, shape) !== null) return null
  const call = kernelCall(kernel, shape)
  const [original, fueled] = await Promise.all(
    [call.code, withFuel(call.code, AMPLE)].map((code) =>
      run(opened.gpu, {
        code,
        entryPoint: call.entryPoint,
        constants: call.constants,
        workgroups: call.workgroups,
        bindings: [
          { words: new Uint32Array(call.uniforms), isUniform: true },
          ...[...inputs, output].map((count, index) => ({ words: floats(count, index) })),
        ],
      }),
    ),
  )
  opened.gpu.destroy()
  const changed = original?.some((word, index) => word !== floats(output, inputs.length)[index]) ?? false
  return changed && original?.join() === fueled?.join()
}

const OUTPUT = '@group(0) @binding(0) var<storage, read_write> output: array<u32>;\n'

export interface Program {
  /** Writes `output`, of which there are 64 words; entry point main. */
  readonly wgsl: string
  readonly perInvocation: number
  /** Also run as it is. */
  readonly isFinite: boolean
}
export interface Ran {
  readonly errors: readonly string[]
  readonly fueled: readonly number[]
  readonly original: readonly number[] | null
}

/** Each program in turn, with fuel; those that end by themselves also without. */
async function runAll(programs: readonly Program[]): Promise<readonly Ran[]> {
  const device = await theDevice()
  const ran: Ran[] = []
  for (const { wgsl, perInvocation, isFinite } of programs) {
    const source = OUTPUT + wgsl
    const code = withFuel(source, perInvocation)
    const errors = await errorsOf(device, code)
    const words = async (text: string): Promise<readonly number[]> => [
      ...(await run(device, {
        code: text,
        bindings: [{ words: new Uint32Array(64) }],
        workgroups: [1, 1, 1],
      })),
    ]
    const fueled = errors.length > 0 ? [] : await words(code)
    ran.push({ errors, fueled, original: isFinite ? await words(source) : null })
  }
  return ran
}

/** The compiler's errors, without fuel and with it. */
async function compile(
  wgsl: string,
): Promise<{ readonly original: readonly string[]; readonly fueled: readonly string[] }> {
  const device = await theDevice()
  return {
    original: await errorsOf(device, OUTPUT + wgsl),
    fueled: await errorsOf(device, withFuel(OUTPUT + wgsl, 1000)),
  }
}

type Try = (device: GPUDevice, budget: Budget) => Promise<unknown>
const SLOW = `${OUTPUT}@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
  var x = id.x;
  while true { x = x * 1664525u + 1013904223u; output[x % 64u] = x; }
}`

const TRIES: Readonly<Record<string, Try>> = {
  /** A kernel that would not end, a hundred thousand times over. */
  async dispatches(device) {
    const module = device.createShaderModule({ code: SLOW })
    const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module } })
    const buffer = device.createBuffer({ size: 256, usage: GPUBufferUsage.STORAGE })
    const bindGroup = device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: [{ binding: 0, resource: { buffer } }],
    })
    for (let i = 0; i < 1e5; i += 1) {
      const encoder = device.createCommandEncoder()
      const pass = encoder.beginComputePass()
      pass.setPipeline(pipeline)
      pass.setBindGroup(0, bindGroup)
      pass.dispatchWorkgroups(1)
      pass.end()
      device.queue.submit([encoder.finish()])
    }
    await device.queue.onSubmittedWorkDone()
  },
  memory: (device) =>
    Promise.resolve(device.createBuffer({ size: 64 * 2 ** 30, usage: GPUBufferUsage.STORAGE })),
  mapped: (device) =>
    Promise.resolve(
      device.createBuffer({ size: 64 * 2 ** 30, usage: GPUBufferUsage.COPY_SRC, mappedAtCreation: true }),
    ),
  async indirect(device) {
    const buffer = device.createBuffer({ size: 16, usage: GPUBufferUsage.INDIRECT })
    device.createCommandEncoder().beginComputePass().dispatchWorkgroupsIndirect(buffer, 0)
    await Promise.resolve()
  },
  texture: (device) =>
    Promise.resolve(
      device.createTexture({ size: [1, 1], format: 'rgba8unorm', usage: GPUTextureUsage.COPY_DST }),
    ),
  /** What the text as it was written has to say, at its own place. */
  async messages(device) {
    device.pushErrorScope('validation')
    const module = device.createShaderModule({ code: 'fn f() { for (;;) { break; } let x: u32 = 1.5; }' })
    const { messages } = await module.getCompilationInfo()
    const scoped = await device.popErrorScope()
    return {
      places: messages.map(({ type, lineNum, linePos }) => [type, lineNum, linePos]),
      scoped: scoped !== null,
    }
  },
  /** Everything that a plain program does, in order. */
  async plain(device) {
    const code = `${OUTPUT}@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
      for (var i = 0u; i < id.x; i += 1u) { output[id.x] += i; }
    }`
    return [
      ...(await run(device, { code, bindings: [{ words: new Uint32Array(64) }], workgroups: [1, 1, 1] })),
    ]
  },
}

export interface Tried {
  readonly error: string | null
  readonly result: unknown
  readonly violation: string | null
  readonly spent: Budget['spent']
  readonly uncaptured: readonly string[]
}

/** A program under a budget, and then the page's next device at work. */
async function tryOut(name: string, limits: Limits): Promise<Tried> {
  const device = await open()
  const uncaptured: string[] = []
  device.addEventListener('uncapturederror', (event) => {
    event.preventDefault()
    uncaptured.push(event.error.message)
  })
  const budget = createBudget({ limits })
  const restore = budget.install()
  budget.open()
  let error: string | null = null
  let result: unknown = null
  try {
    result = await TRIES[name]?.(device, budget)
  } catch (thrown) {
    error = thrown instanceof Error ? thrown.message : String(thrown)
  } finally {
    restore()
    device.destroy()
  }
  const next = await open()
  const [first] = await run(next, {
    code: `${OUTPUT}@compute @workgroup_size(1) fn main() { output[0] = 42u; }`,
    bindings: [{ words: new Uint32Array(64) }],
    workgroups: [1, 1, 1],
  })
  if (first !== 42) throw new Error('The next device does not work.')
  next.destroy()
  return { error, result, violation: budget.violation, spent: { ...budget.spent }, uncaptured }
}

const cases = (): readonly KernelCase[] => [...matmuls, ...dataKernels, ...calibrationKernels]
const mendLab = {
  kernels: () => cases().map(({ kernel }) => kernel.label),
  sameResult: (index: number) => {
    const found = cases()[index]
    if (!found) throw new Error(`no kernel ${String(index)}`)
    return sameResult(found)
  },
  runAll,
  compile,
  tryOut,
}
export type MendLab = typeof mendLab
Object.assign(globalThis, { mendLab })
