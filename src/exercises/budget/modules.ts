/**
 * Shader modules of a learner's program. Each is compiled twice: as it was written, for the
 * compiler's own messages at their own places, and with fuel, for the pipelines. The program holds
 * the second and is told of the first.
 */
import { uncurry } from '../../recorder/intrinsics'
import { addFuel, type Fueled } from '../wgsl/fuel'
import type { Cost } from '../wgsl/cost'
import { mostFuel } from '../wgsl/fuel'
import type { FuelStore } from './fuel-store'
import type { Limits } from './limits'
import type { Natives, Realm } from '../../recorder/realm'

/** A module with fuel, made for pipelines whose own bind groups end before `group`. */
export interface FueledModule {
  readonly module: GPUShaderModule
  readonly fueled: Fueled
  /** Bind group of the store; null: its loops have counters of a fixed size, and leave no marks. */
  readonly group: number | null
}

interface ModuleRecord {
  readonly original: GPUShaderModule
  /**
   * The module as the program holds it, for pipelines whose layout WebGPU makes; null: its text
   * could not be read.
   */
  readonly automatic: FueledModule | null
  /** By the number of bind groups of an explicit layout. */
  readonly explicit: (FueledModule | undefined)[]
  readonly make: (group: number | null) => FueledModule | null
  /** Why it could not be read. */
  readonly problem: string
}

/** WebGPU offers four at least (§3.6.2). */
const BIND_GROUPS = 4

export type ModuleNatives = Pick<Natives, 'pushErrorScope' | 'popErrorScope' | 'compilationInfo'>

/* oxlint-disable typescript/unbound-method -- unbound on purpose: uncurry() gives each its `this` */
export const nativesOf = ({ GPUDevice: { prototype }, GPUShaderModule }: Realm): ModuleNatives => ({
  pushErrorScope: uncurry(prototype.pushErrorScope),
  popErrorScope: uncurry(prototype.popErrorScope),
  compilationInfo: uncurry(GPUShaderModule.prototype.getCompilationInfo),
})
/* oxlint-enable typescript/unbound-method */

export class Modules {
  readonly #records = new WeakMap<GPUShaderModule, ModuleRecord>()
  readonly #limits: Limits
  readonly #report: (sentence: string) => void
  readonly #natives: ModuleNatives
  readonly #store: FuelStore | null

  constructor(
    natives: ModuleNatives,
    limits: Limits,
    store: FuelStore | null,
    report: (sentence: string) => void,
  ) {
    this.#natives = natives
    this.#limits = limits
    this.#store = store
    this.#report = report
  }

  /** @param compile makes a module of a text. */
  create(device: GPUDevice, source: string, compile: (code: string) => GPUShaderModule): GPUShaderModule {
    const original = compile(source)
    const read = addFuel(source, 1)
    if (!read.ok) {
      // A place and a sentence for each; there is one at least.
      const [first] = read.error
      const problem = first ? `line ${String(first.line)}: ${first.message}` : ''
      this.#records.set(original, { original, automatic: null, explicit: [], make: () => null, problem })
      return original
    }
    const make = (group: number | null): FueledModule | null => {
      const found = this.#withFuel(source, group)
      return found && { ...found, module: this.#compileFueled(device, original, found.fueled, compile) }
    }
    const automatic = make(read.value.nextGroup)
    if (!automatic) return original
    this.#records.set(automatic.module, { original, automatic, explicit: [], make, problem: '' })
    return automatic.module
  }

  #withFuel(source: string, group: number | null): Omit<FueledModule, 'module'> | null {
    const most = (cost: Cost): number => mostFuel(cost, this.#limits.counted.perInvocation)
    if (this.#store && group !== null && group < BIND_GROUPS) {
      const stored = addFuel(source, most, this.#store.storeFor(group))
      if (stored.ok && this.#store.keep(stored.value.loopLines)) return { fueled: stored.value, group }
    }
    const counted = addFuel(source, most)
    return counted.ok ? { fueled: counted.value, group: null } : null
  }

  /** The module that speaks for one that the program holds. */
  originalOf(module: GPUShaderModule): GPUShaderModule {
    return this.#records.get(module)?.original ?? module
  }

  /** Why no pipeline may be made of it; null: one may. */
  refusalOf(module: GPUShaderModule): string | null {
    const record = this.#records.get(module)
    if (!record) return 'The lab does not know the WGSL of this pipeline.'
    return record.automatic ? null : `The lab could not read your WGSL, so it is not run (${record.problem})`
  }

  /** @param groups of an explicit layout; null: WebGPU makes it */
  fueledOf(module: GPUShaderModule, groups: number | null): FueledModule | null {
    const record = this.#records.get(module)
    if (!record || groups === null || record.automatic?.group === groups) return record?.automatic ?? null
    const made = record.explicit[groups] ?? record.make(groups)
    if (made) record.explicit[groups] = made
    return made
  }

  /**
   * An error of the fueled text alone would be the lab's own: it goes to no scope of the program,
   * and becomes a sentence.
   */
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
          `With a limit on its loops your WGSL does not compile (line ${String(lineNum)}, column ${String(column)}: ${message}).`,
        )
      }
      error.then((found) => (found ? check() : undefined)).catch(() => undefined) // a lost device is reported elsewhere
    }
    return module
  }
}
