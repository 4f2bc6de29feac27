/**
 * Shader modules of a learner's program. Each is compiled twice: as it was written, for the compiler's own messages at their own places,
 * and with fuel, for the pipelines. The program holds the second and is told of the first.
 */
import { Records, promiseThen, react, uncurry } from '../../recorder/intrinsics'
import { addFuel, type Fueled, type FueledEntryPoint } from '../wgsl/fuel'
import { mostFuel } from './most-fuel'
import type { Limits } from './limits'
import type { Natives, Realm } from '../../recorder/realm'

const textOf = String

interface ModuleRecord {
  readonly original: GPUShaderModule
  /** Null: its text could not be read. */
  readonly fueled: Fueled | null
  /** Why not. */
  readonly problem: string
}

export type ModuleNatives = Pick<Natives, 'pushErrorScope' | 'popErrorScope' | 'compilationInfo'>

/* eslint-disable @typescript-eslint/unbound-method -- unbound on purpose: uncurry() gives each its `this` */
export const nativesOf = ({ GPUDevice: { prototype }, GPUShaderModule }: Realm): ModuleNatives => ({
  pushErrorScope: uncurry(prototype.pushErrorScope),
  popErrorScope: uncurry(prototype.popErrorScope),
  compilationInfo: uncurry(GPUShaderModule.prototype.getCompilationInfo),
})
/* eslint-enable @typescript-eslint/unbound-method */

export class Modules {
  readonly #records = new Records<GPUShaderModule, ModuleRecord>()
  readonly #limits: Limits
  readonly #report: (sentence: string) => void
  readonly #natives: ModuleNatives

  constructor(natives: ModuleNatives, limits: Limits, report: (sentence: string) => void) {
    this.#natives = natives
    this.#limits = limits
    this.#report = report
  }

  /** @param compile makes a module of a text. */
  create(device: GPUDevice, source: string, compile: (code: string) => GPUShaderModule): GPUShaderModule {
    const { iterations, invocations } = this.#limits
    const fueled = addFuel(source, (cost) => mostFuel(cost, iterations / invocations))
    const original = compile(source)
    if (!fueled.ok) {
      // A place and a sentence for each; there is one at least.
      const [first] = fueled.error
      const problem = first ? `line ${textOf(first.line)}: ${first.message}` : ''
      this.#records.set(original, { original, fueled: null, problem })
      return original
    }
    const module = this.#compileFueled(device, original, fueled.value, compile)
    this.#records.set(module, { original, fueled: fueled.value, problem: '' })
    return module
  }

  /** The module that speaks for one that the program holds. */
  originalOf(module: GPUShaderModule): GPUShaderModule {
    return this.#records.get(module)?.original ?? module
  }

  /** Why no pipeline may be made of it; null: one may. */
  refusalOf(module: GPUShaderModule): string | null {
    const record = this.#records.get(module)
    if (!record) return 'The lab does not know the WGSL of this pipeline.'
    return record.fueled ? null : `The lab could not read your WGSL, so it is not run (${record.problem})`
  }

  /** Undefined: WebGPU itself refuses the pipeline, as there is no such entry point, or no only one. */
  entryPointOf(module: GPUShaderModule, name: string | undefined): FueledEntryPoint | undefined {
    const entryPoints = this.#records.get(module)?.fueled?.entryPoints
    return entryPoints?.find((each) => name === undefined || each.name === name)
  }

  /** An error of the fueled text alone would be the lab's own: it goes to no scope of the program, and becomes a sentence. */
  #compileFueled(
    device: GPUDevice,
    original: GPUShaderModule,
    fueled: Fueled,
    compile: (code: string) => GPUShaderModule,
  ): GPUShaderModule {
    const { pushErrorScope, popErrorScope, compilationInfo } = this.#natives
    pushErrorScope(device, 'validation')
    let module: GPUShaderModule
    try {
      module = compile(fueled.code)
    } finally {
      const error = popErrorScope(device)
      const check = async (): Promise<void> => {
        const own = await compilationInfo(original)
        if (own.messages.some(({ type }) => type === 'error')) return
        const { messages } = await compilationInfo(module)
        const first = messages.find(({ type }) => type === 'error')
        if (!first) return
        const { lineNum, linePos, message } = first
        const column = fueled.columnOf(lineNum, linePos - 1) + 1
        this.#report(
          `With a limit on its loops your WGSL does not compile (line ${textOf(lineNum)}, column ${textOf(column)}: ${message}).`,
        )
      }
      react(
        promiseThen(error, (found: GPUError | null) => (found ? check() : undefined), undefined),
        undefined,
        () => undefined, // the device was lost: its own fault is reported elsewhere
      )
    }
    return module
  }
}
