/**
 * Learners' WGSL with fuel in a real browser. Each function gives plain data; mend-wgsl.spec.ts
 * asks the questions.
 */
import { openDevice } from '../../src/gpu'
import { addFuel, MARKS_GROUP } from '../../src/exercises/wgsl/fuel'

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

/** The 64 words that the program writes. */
async function run(device: GPUDevice, code: string): Promise<readonly number[]> {
  const group = device.createBindGroupLayout({
    entries: [{ binding: 0, visibility: GPUShaderStage.COMPUTE, buffer: { type: 'storage' } }],
  })
  const pipeline = await device.createComputePipelineAsync({
    layout: device.createPipelineLayout({ bindGroupLayouts: [group, group] }),
    compute: { module: device.createShaderModule({ code }) },
  })
  const { STORAGE, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage
  const [buffer, readback] = [STORAGE | COPY_SRC, MAP_READ | COPY_DST].map((usage) =>
    device.createBuffer({ size: 256, usage }),
  )
  if (!buffer || !readback) throw new Error('no buffers')
  const encoder = device.createCommandEncoder()
  const pass = encoder.beginComputePass()
  pass.setPipeline(pipeline)
  const marks = device.createBuffer({ size: 1024, usage: STORAGE })
  const bindGroupOf = (bound: GPUBuffer) =>
    device.createBindGroup({ layout: group, entries: [{ binding: 0, resource: { buffer: bound } }] })
  pass.setBindGroup(0, bindGroupOf(buffer))
  pass.setBindGroup(MARKS_GROUP, bindGroupOf(marks))
  pass.dispatchWorkgroups(1)
  pass.end()
  encoder.copyBufferToBuffer(buffer, 0, readback, 0, 256)
  device.queue.submit([encoder.finish()])
  await readback.mapAsync(GPUMapMode.READ)
  const words = [...new Uint32Array(readback.getMappedRange())]
  for (const each of [buffer, marks, readback]) each.destroy()
  return words
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
    const fueled = errors.length > 0 ? [] : await run(device, code)
    ran.push({ errors, fueled, original: isFinite ? await run(device, source) : null })
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

const mendLab = { runAll, compile }
export type MendLab = typeof mendLab
Object.assign(globalThis, { mendLab })
