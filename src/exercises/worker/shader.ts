/**
 * A learner's compute shader: compiled as it stands, so that the browser's own messages and places
 * are shown, then once more with fuel in its loops. Only the second is ever dispatched.
 */
import { FaultError } from '../../base/fault'
import { readAll, STORAGE, type RunContext, USAGE } from '../../gpu'
import {
  type FuelBinding,
  FuelStore,
  PRICES_BYTES,
  STORE_BYTES,
  type FuelStoreOptions,
} from '../budget/fuel-store'
import { Modules } from '../budget/modules'

/** The store of fuel of a mend's kernels: opened before the program, read after each run of it. */
export async function openFuel(
  context: RunContext,
  options: Omit<FuelStoreOptions, 'device' | 'store' | 'prices'>,
): Promise<FuelStore> {
  const store = await context.buffer('fuel', STORE_BYTES, STORAGE)
  const prices = await context.buffer('prices of fuel', PRICES_BYTES, USAGE.uniform | USAGE.copyDst)
  return new FuelStore({ ...options, device: context.device.gpu, store: store.gpu, prices: prices.gpu })
}

/** Lines of the loops that found it empty, from 1, in the WGSL of the program. */
export const ranOutOf = async (context: RunContext, store: FuelStore): Promise<readonly number[]> =>
  store.isUnused ? [] : store.linesOf(await readAll(context, store.buffer, STORE_BYTES / 4))

/** The entry point that the lab dispatches. */
const ENTRY_POINT = 'main'
const STORE_GROUP = 1

/** An error in the learner's WGSL. Lines and columns from 1, as compilers count them. */
function shaderError(message: string, line?: number, column?: number): FaultError {
  return new FaultError({
    code: 'shader',
    message,
    data: { ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }) },
  })
}

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
  const { lineNum, linePos, message } = error
  const text = `Your WGSL does not compile: ${sentence(message)}`
  // Line 0: the message is about the module as a whole.
  throw lineNum === 0 ? shaderError(text) : shaderError(text, lineNum, linePos)
}

export interface CompiledShader {
  readonly pipeline: GPUComputePipeline
  readonly fuel: FuelBinding
}

/**
 * The pipeline of a learner's shader, with the entry point `main`.
 *
 * @param layout of its only bind group; the store's is behind it
 * @param iterations that an invocation may execute in all its loops together, where they cannot
 * share what is in the store
 * @throws FaultError 'shader' where it does not compile or does not fit the layout, with line and
 * column where they are known
 */
export async function compileShader(
  context: RunContext,
  source: string,
  layout: GPUBindGroupLayout,
  store: FuelStore,
  iterations: number,
): Promise<CompiledShader> {
  await expectCompiles(context, source)
  const { gpu } = context.device
  const modules = new Modules(context.session.natives, iterations, store)
  const module = modules.create(gpu, source, (code) => gpu.createShaderModule({ label: 'your shader', code }))
  const found = modules.fueledOf(module)
  if (typeof found === 'string') throw shaderError(found)
  if (!found.fueled.entryPoints.some(({ name }) => name === ENTRY_POINT))
    throw shaderError(`There is no \`@compute\` entry point \`${ENTRY_POINT}\`.`)
  try {
    const pipeline = await context.race(
      gpu.createComputePipelineAsync({
        label: 'your shader',
        layout: gpu.createPipelineLayout({ bindGroupLayouts: [layout, store.layout] }),
        compute: { module: found.module, entryPoint: ENTRY_POINT },
      }),
    )
    const isShared = found.fueled.perInvocation === 0
    return { pipeline, fuel: { group: STORE_GROUP, pipeline: null, isShared, bindGroups: [] } }
  } catch (thrown) {
    if (thrown instanceof FaultError) throw thrown
    const message = thrown instanceof Error ? thrown.message : String(thrown)
    throw shaderError(`WebGPU cannot make a pipeline of your shader: ${sentence(message)}`)
  }
}
