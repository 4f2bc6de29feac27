/**
 * What all objects of the model have: a label, and the device that they belong to. As WebGPU's internal slots, all else that they hold is in
 * private fields: no property leads to it, methods refuse what was not made here with a TypeError, and so does whoever takes one as an argument.
 */
import type { Source } from './contents'
import type { Memory } from './device'
import type { Machine } from './machine'

/** From byte `offset` of a buffer on. */
export interface Carried {
  readonly offset: number
  readonly bytes: number
  readonly words: Source
}

/** A device, as its objects know it. */
export interface Owner {
  readonly machine: Machine
  readonly isLost: boolean
  /** To the innermost scope of its kind. */
  readonly raise: (filter: 'validation' | 'out-of-memory', message: string) => void
  /** So many bytes on their way to a buffer, and what of them was written. */
  readonly carry: (memory: Memory, written: readonly Carried[], bytes: number, rate: number) => void
}

/** Who makes objects of WebGPU's classes: programs, which reach the classes, do not have it. */
export const MAKER = Symbol('model')

/** By a class's own prototype that of whoever's task runs. */
let prototypes: () => ReadonlyMap<object, object> | undefined = () => undefined

/** For ranks, each of which patches prototypes of its own. Call what it returns to have whoever was asked before. */
export function askForPrototypes(of: typeof prototypes): () => void {
  const before = prototypes
  prototypes = of
  return () => {
    prototypes = before
  }
}

/** As in every object of WebGPU, `label` is an accessor of the prototype. */
export class GpuObject {
  #label: string
  /** @throws TypeError for a program, as `new GPUBuffer()` does. */
  constructor(maker: typeof MAKER, label: unknown = '') {
    if (maker !== MAKER) throw new TypeError('Illegal constructor')
    this.#label = String(label)
    const own = prototypes()?.get(new.target.prototype)
    if (own) Object.setPrototypeOf(this, own)
  }
  get label(): string {
    return this.#label
  }
  set label(label: string) {
    this.#label = label
  }
}

/** What a method that gives a promise throws, it rejects with. */
export function promised<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return ask()
  } catch (thrown) {
    return Promise.reject(thrown instanceof Error ? thrown : new Error(String(thrown)))
  }
}
