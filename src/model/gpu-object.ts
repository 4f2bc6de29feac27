/** Base of all objects of the model: a label, and the device that they belong to. */
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
  raise: (filter: 'validation' | 'out-of-memory', message: string) => void
  /** Sends so many bytes to a buffer, and what of them was written. */
  carry: (memory: Memory, written: readonly Carried[], bytes: number, rate: number) => void
}

/** In WebGPU `label` is an accessor of the prototype, so it is one here. */
export class GpuObject {
  #label: string
  constructor(label: unknown = '') {
    this.#label = String(label) // WebIDL converts what is no string
  }
  get label(): string {
    return this.#label
  }
  set label(label: string) {
    this.#label = label
  }
}
