/**
 * The border between a program and the lab, which share a realm. What the program hands over (returned, sent, passed to a function of the
 * lab's) is data or a genuine object of WebGPU: the lab never calls a method, reads an accessor or follows an iterator of the program's own.
 * What the lab hands over calls the lab only while the program runs.
 */
import { standIns } from '../../base/memory'
import { apply, getPrototypeOf, uncurry } from '../../recorder/intrinsics'
import { getterOf } from '../../recorder/sizes'
import { plainData } from './plain-data'

const { ownKeys } = Reflect
// oxlint-disable-next-line typescript/unbound-method -- uncurry() gives it its `this`
const hasStandIn = uncurry<WeakMap<object, unknown>, [object], boolean>(WeakMap.prototype.has)
const { freeze, fromEntries, entries } = Object
const arrays = getPrototypeOf(Uint8Array.prototype) as object // %TypedArray%.prototype
const typeOf = getterOf<object, string | undefined>(arrays, Symbol.toStringTag)
const bufferOf = getterOf<object, ArrayBuffer>(arrays, 'buffer')
const offsetOf = getterOf<object, number>(arrays, 'byteOffset')
const lengthOf = getterOf<object, number>(arrays, 'length')

type ArrayClass = new (buffer: ArrayBuffer, offset: number, length: number) => ArrayBufferView
const CLASSES: Readonly<Record<string, ArrayClass>> = {
  Float32Array,
  Float64Array,
  Int8Array,
  Int16Array,
  Int32Array,
  Uint8Array,
  Uint8ClampedArray,
  Uint16Array,
  Uint32Array,
}

/** The same memory under a view that has no properties of the program's. Undefined: no typed array of numbers. */
function cleanView(value: object): object | undefined {
  // The model's own, which keeps no property of a program.
  if (hasStandIn(standIns, value)) return value
  const name = typeOf(value)
  const Class = name === undefined ? undefined : CLASSES[name]
  return Class && new Class(bufferOf(value), offsetOf(value), lengthOf(value))
}

type AnyFunction = (...args: readonly unknown[]) => unknown

export interface BorderOptions {
  /** Whose instances functions of the lab's take. Default: this realm. */
  readonly encoders?: { readonly prototype: GPUCommandEncoder }
  /** Whether the program runs. */
  readonly isOpen: () => boolean
  /** A promise of the lab's as a program may hold it. */
  readonly given: <T extends Promise<unknown>>(promise: T) => T
}

export class Border {
  readonly #options: BorderOptions
  readonly #encoder: GPUCommandEncoder
  readonly #labelOf: (encoder: GPUCommandEncoder) => unknown
  /** By what it was made from: two names for one object stay so. */
  readonly #handedOver = new Map<object, unknown>()

  constructor(options: BorderOptions) {
    this.#options = options
    this.#encoder = (options.encoders ?? GPUCommandEncoder).prototype
    this.#labelOf = getterOf(this.#encoder, 'label')
  }

  /** What a program may hold: plain objects and lists of the lab's are copied and frozen, its functions stand behind the border. */
  handOver<T>(value: T): T {
    return this.#handOver(value) as T // of the same form
  }

  /** The program as the lab calls it: what it is given is handed over, and what it returns is copied when it returns. */
  program(program: unknown): AnyFunction {
    if (typeof program !== 'function') throw new TypeError('`export default` must be a function.')
    return async (...args) =>
      plainData(
        await apply(
          program as AnyFunction,
          undefined,
          args.map((each) => this.handOver(each)),
        ),
      )
  }

  #handOver(value: unknown): unknown {
    if (typeof value === 'function')
      return this.#remembered(value, () => this.#function(value as AnyFunction))
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value))
      return this.#remembered(value, () => freeze(value.map((each) => this.#handOver(each))))
    if (getPrototypeOf(value) !== Object.prototype) return value // WebGPU's, or memory
    return this.#remembered(value, () =>
      freeze(fromEntries(entries(value).map(([name, each]) => [name, this.#handOver(each)]))),
    )
  }

  #remembered(value: object, make: () => unknown): unknown {
    const known = this.#handedOver.get(value)
    if (known !== undefined) return known
    const made = make()
    this.#handedOver.set(value, made)
    return made
  }

  #function(own: AnyFunction): AnyFunction {
    const { isOpen, given } = this.#options
    return freeze((...args: readonly unknown[]) => {
      if (!isOpen()) throw new TypeError('The program has ended: the lab takes no more calls of it.')
      const admitted = args.map((each) => this.#admit(each))
      const result = own(...admitted)
      return result instanceof Promise ? given(result) : result
    })
  }

  /** @throws TypeError with a sentence for the learner */
  #admit(value: unknown): unknown {
    if (typeof value === 'function') throw new TypeError('The lab calls no function of a program.')
    if (typeof value !== 'object' || value === null) return value
    const view = cleanView(value)
    if (view) return view
    if (!this.#isEncoder(value))
      throw new TypeError('Functions of the lab take numbers, typed arrays and command encoders of WebGPU.')
    if (ownKeys(value).length > 0)
      throw new TypeError('The lab takes no command encoder that has properties of your own.')
    return value
  }

  #isEncoder(value: object): value is GPUCommandEncoder {
    try {
      this.#labelOf(value as GPUCommandEncoder) // WebGPU's accessor throws for anything else, a proxy too
      return getPrototypeOf(value) === this.#encoder
    } catch {
      return false
    }
  }
}
