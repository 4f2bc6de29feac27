/**
 * A learner's compute shader: compiled as it stands, so that the browser's own messages and places
 * are shown, then once more with fuel in its loops. Only the second is ever dispatched.
 */
import { FaultError } from '../../base/fault'
import { readAll, STORAGE, type RunContext } from '../../gpu'
import { addFuel, MARKS_GROUP, mostFuel } from '../wgsl/fuel'

/** The entry point that the lab dispatches. */
const ENTRY_POINT = 'main'

/** An error in the learner's WGSL. Lines from 1, as compilers count them. */
const shaderError = (message: string, line?: number): FaultError =>
  new FaultError({ code: 'shader', message, ...(line !== undefined && { data: { line } }) })

const sentence = (message: string): string => {
  const words = message.trim()
  return /[.!?]$/.test(words) ? words : `${words}.`
}

/** @throws FaultError 'shader' at the first error */
async function expectCompiles({ device, race }: RunContext, code: string): Promise<void> {
  const module = device.gpu.createShaderModule({ label: 'your shader', code })
  const { messages } = await race(module.getCompilationInfo())
  const error = messages.find(({ type }) => type === 'error')
  if (!error) return
  const { lineNum, message } = error
  // Line 0: the message is about the module as a whole.
  throw shaderError(`Your WGSL does not compile: ${sentence(message)}`, lineNum || undefined)
}

export type FueledShader = Awaited<ReturnType<typeof compileShader>>

/**
 * The pipeline of a learner's shader, with the entry point `main`.
 *
 * @param layout of its only bind group; that of the marks is behind it
 * @param iterations that an invocation may execute in all its loops together
 * @throws FaultError 'shader' where it does not compile or does not fit the layout, with its line
 * where that is known
 */
export async function compileShader(
  context: RunContext,
  source: string,
  layout: GPUBindGroupLayout,
  iterations: number,
) {
  await expectCompiles(context, source)
  const { gpu } = context.device
  const fueled = addFuel(source, (cost) => mostFuel(cost, iterations))
  if (!fueled.ok) {
    const [first] = fueled.error
    throw shaderError(
      `The lab could not read your WGSL, so it is not run. ${first?.message ?? ''}`,
      first?.line,
    )
  }
  const { code, loopLines, entryPoints } = fueled.value
  if (!entryPoints.some(({ name }) => name === ENTRY_POINT))
    throw shaderError(`There is no \`@compute\` entry point \`${ENTRY_POINT}\`.`)
  const words = Math.max(1, loopLines.length)
  const { gpu: buffer } = await context.buffer('fuel', 4 * words, STORAGE)
  const marksLayout = gpu.createBindGroupLayout({
    entries: [{ binding: 0, visibility: GPUShaderStage.COMPUTE, buffer: { type: 'storage' } }],
  })
  const marks = gpu.createBindGroup({ layout: marksLayout, entries: [{ binding: 0, resource: { buffer } }] })
  try {
    const pipeline = await context.race(
      gpu.createComputePipelineAsync({
        label: 'your shader',
        layout: gpu.createPipelineLayout({ bindGroupLayouts: [layout, marksLayout] }),
        compute: {
          module: gpu.createShaderModule({ label: 'your shader', code }),
          entryPoint: ENTRY_POINT,
        },
      }),
    )
    return {
      setOn: (pass: GPUComputePassEncoder): void => {
        pass.setPipeline(pipeline)
        pass.setBindGroup(MARKS_GROUP, marks)
      },
      clearMarks: (): void => gpu.queue.writeBuffer(buffer, 0, new Uint32Array(words)),
      /** Lines of the loops that ran out of fuel, from 1. */
      ranOut: async (): Promise<readonly number[]> => {
        const marked = await readAll(context, buffer, words)
        return loopLines.filter((_, loop) => marked[loop] === 1)
      },
    }
  } catch (thrown) {
    if (thrown instanceof FaultError) throw thrown
    const message = thrown instanceof Error ? thrown.message : String(thrown)
    throw shaderError(`WebGPU cannot make a pipeline of your shader: ${sentence(message)}`)
  }
}
