/** Learners' WGSL with fuel in a real browser. Each function gives plain data; mend-wgsl.spec.ts asks the questions. */
import { openDevice } from '../../src/gpu'
import { calibrationKernels, dataKernels, matmuls, type KernelCase } from './kernel-cases'
import { kernelCall } from '../../src/gpu/kernels/kernel'
import { addFuel } from '../../src/exercises/wgsl/fuel'

const AMPLE = 1_000_000

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
async function sameResult({ kernel, shape, inputs, output, needs }: KernelCase): Promise<boolean | null> {
  const opened = await openDevice(navigator.gpu)
  if (needs(opened) !== null) return null
  const call = kernelCall(kernel, shape)
  const [original, fueled] = await Promise.all(
    [call.code, withFuel(call.code, AMPLE)].map((code) =>
      run(opened.gpu, {
        code,
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
}
export type MendLab = typeof mendLab
Object.assign(globalThis, { mendLab })
