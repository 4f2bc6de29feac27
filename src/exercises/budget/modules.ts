/**
 * Shader modules of a learner's program. Each is compiled twice: as it was written, for the
 * compiler's own messages at their own places, and with fuel, for the pipelines. The program holds
 * the second and is told of the first.
 */
import { addFuel, mostFuel, type Cost, type Fueled } from '../wgsl/fuel'
import type { FuelStore } from './fuel-store'
import { type Natives, type Realm, uncurry } from '../../recorder/realm'

/** A module with fuel, made for pipelines whose own bind groups end before `group`. */
export interface FueledModule {
  readonly module: GPUShaderModule
  readonly fueled: Fueled
  /** Bind group of the store; null: its loops have counters of a fixed size, and leave no marks. */
  readonly group: number | null
}

interface ModuleRecord {
  readonly original: GPUShaderModule
  /** The module as the program holds it; null: its text could not be read. */
  readonly fueled: FueledModule | null
  /** Why it could not be read. */
  readonly problem: string
}

/** WebGPU offers four at least (§3.6.2). */
const BIND_GROUPS = 4

export type ModuleNatives = Pick<Natives, 'pushErrorScope' | 'popErrorScope'>

/* oxlint-disable typescript/unbound-method -- unbound on purpose: uncurry() gives each its `this` */
export const nativesOf = ({ GPUDevice: { prototype } }: Realm): ModuleNatives => ({
  pushErrorScope: uncurry(prototype.pushErrorScope),
  popErrorScope: uncurry(prototype.popErrorScope),
})
/* oxlint-enable typescript/unbound-method */

export class Modules {
  readonly #records = new WeakMap<GPUShaderModule, ModuleRecord>()
  readonly #perInvocation: number
  readonly #natives: ModuleNatives
  readonly #store: FuelStore | null

  /** @param perInvocation the most iterations where loops have counters of a fixed size */
  constructor(natives: ModuleNatives, perInvocation: number, store: FuelStore | null) {
    this.#natives = natives
    this.#perInvocation = perInvocation
    this.#store = store
  }

  /** @param compile makes a module of a text. */
  create(device: GPUDevice, source: string, compile: (code: string) => GPUShaderModule): GPUShaderModule {
    const original = compile(source)
    const read = addFuel(source, 1)
    if (!read.ok) {
      // A place and a sentence for each; there is one at least.
      const [first] = read.error
      const problem = first ? `line ${String(first.line)}: ${first.message}` : ''
      this.#records.set(original, { original, fueled: null, problem })
      return original
    }
    const found = this.#withFuel(source, read.value.nextGroup)
    if (!found) return original
    // Faults of the program's own text are reported for the original alone.
    const { pushErrorScope, popErrorScope } = this.#natives
    pushErrorScope(device, 'validation')
    const module = compile(found.fueled.code)
    popErrorScope(device).catch(() => undefined) // a lost device is reported elsewhere
    this.#records.set(module, { original, fueled: { ...found, module }, problem: '' })
    return module
  }

  #withFuel(source: string, group: number | null): Omit<FueledModule, 'module'> | null {
    const most = (cost: Cost): number => mostFuel(cost, this.#perInvocation)
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

  /** Pipelines are made of it; or why none may be made. */
  fueledOf(module: GPUShaderModule): FueledModule | string {
    const record = this.#records.get(module)
    if (!record) return 'The lab does not know the WGSL of this pipeline.'
    return record.fueled ?? `The lab could not read your WGSL, so it is not run (${record.problem})`
  }
}
