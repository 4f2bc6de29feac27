/**
 * Host memory as programs see it: mapped ranges, and what is copied out of them. Where it is large,
 * it is not there: `set()` and `slice()` keep references, and a number is worked out when it is
 * read. A program that goes over all of it gets real memory, which takes its time.
 */
import { isKept, standIns } from '../base/buffer-registry'
import { Contents, floatOf, sourceOf, type Source } from './contents'

const clone = structuredClone // the global of a mend's program has none

/** Up to here a range is real memory: it costs nothing. */
const SMALL_BYTES = 4096

/** The memory behind a range. */
class RangeMemory {
  readonly #bytes: number
  readonly #contents = new Contents()
  readonly #copied: () => void
  #isDetached = false
  #memory: ArrayBuffer | null = null

  /** @param copied called when a part of it is copied out */
  constructor(byteLength: number, source: Source, firstWord: number, copied: () => void = () => undefined) {
    this.#copied = copied
    this.#bytes = byteLength
    this.#contents.copy(0, byteLength / 4, source, firstWord)
  }

  get bytes(): number {
    return this.#isDetached ? 0 : this.#bytes
  }

  /** The words as they are now, for a reader that reads them at once. */
  get words(): Source {
    return this.#memory ? sourceOf(new Uint32Array(this.#memory)) : this.#contents.snapshot()
  }

  /** The same for later. */
  snapshot(): Source {
    return this.#memory ? sourceOf(new Uint32Array(this.#memory.slice(0))) : this.#contents.snapshot()
  }

  get isMemory(): boolean {
    return this.#memory !== null
  }

  /** From now on all of it is there. */
  memory(): ArrayBuffer {
    if (this.#memory) return this.#memory
    const words = new Uint32Array(this.bytes / 4)
    this.#contents.snapshot().read?.(words, 0)
    return (this.#memory = words.buffer)
  }

  /** Returns the contents; the range has no bytes from now on. */
  detach(): Source {
    const { words } = this
    this.#isDetached = true
    return words
  }

  copy(): HostRange {
    this.#copied()
    return new HostRange(new RangeMemory(this.bytes, this.snapshot(), 0))
  }

  write(from: number, count: number, source: Source): void {
    this.#contents.copy(from, count, source, 0)
  }
}

/** Stands for an ArrayBuffer. */
export class HostRange {
  readonly memory: RangeMemory
  constructor(memory: RangeMemory) {
    this.memory = memory
    standIns.set(this, { length: memory.bytes, elementBytes: 1, real: () => memory.memory() })
  }
  get byteLength(): number {
    return this.memory.bytes
  }
  slice(from = 0, to = this.byteLength): ArrayBuffer | HostRange {
    const isWhole = from === 0 && to === this.byteLength
    return isWhole ? this.memory.copy() : this.memory.memory().slice(from, to)
  }
}
const memoryOf = (value: unknown): RangeMemory | null => (value instanceof HostRange ? value.memory : null)

/** Returns the contents of a range; it has no bytes from now on. */
export const detached = (range: ArrayBuffer | HostRange): Source =>
  range instanceof HostRange ? range.memory.detach() : wordsOf(clone(range, { transfer: [range] }))

/**
 * A range of this many bytes, from a word of the source on. @param copied called when a part of a
 * large one is copied out
 */
export function rangeOf(
  bytes: number,
  source: Source,
  firstWord: number,
  copied?: () => void,
  isLazy = true,
): ArrayBuffer | HostRange {
  if (isLazy && bytes > SMALL_BYTES) return new HostRange(new RangeMemory(bytes, source, firstWord, copied))
  const words = new Uint32Array(bytes / 4)
  source.read?.(words, firstWord)
  return words.buffer
}

type Numbers = Float32Array | Uint32Array | Uint8Array
type NumbersType = (new (memory: ArrayBuffer, byteOffset: number, length: number) => Numbers) & {
  readonly prototype: object
}

interface View {
  readonly type: NumbersType
  readonly range: RangeMemory
  readonly elementBytes: number
  readonly byteOffset: number
  readonly byteLength: number
}
const views = new WeakMap<object, View>()

type HandedOver = ReturnType<typeof handedOver>

/** `range` null: `buffer` is memory. @throws TypeError where it is no data */
function handedOver(data: object) {
  const view = views.get(data)
  if (view) return { ...view, buffer: null }
  const range = memoryOf(data)
  if (range) return { range, buffer: null, byteOffset: 0, byteLength: range.bytes, elementBytes: 1 }
  if (!('byteLength' in data)) throw new TypeError('data is not of type ArrayBuffer or a view of one')
  if (!ArrayBuffer.isView(data)) {
    const buffer = data as ArrayBuffer
    return { range: null, buffer, byteOffset: 0, byteLength: buffer.byteLength, elementBytes: 1 }
  }
  const { buffer, byteOffset, byteLength } = data as Uint8Array<ArrayBuffer>
  const { BYTES_PER_ELEMENT: elementBytes = 1 } = data as Partial<Uint8Array> // a DataView has none
  return { range: null, buffer, byteOffset, byteLength, elementBytes }
}

/** Bytes of one element, and of all. @throws TypeError where `object` is no data */
export const bytesOf = (data: object): Pick<HandedOver, 'byteLength' | 'elementBytes'> => handedOver(data)

/** The data that a program hands over, as they are now. */
export function wordsOf(data: object, start = 0, count?: number): Source {
  const { range, buffer, byteOffset, byteLength } = handedOver(data)
  const [from, bytes] = [byteOffset + start, count ?? byteLength]
  if (range) {
    const moved = new Contents()
    moved.copy(0, bytes / 4, range.snapshot(), from / 4)
    return moved.snapshot()
  }
  return isKept(buffer) && from % 4 === 0
    ? sourceOf(new Uint32Array(buffer, from, bytes / 4))
    : sourceOf(new Uint32Array(buffer.slice(from, from + bytes)))
}

/** A typed array of `size` bytes a number, over memory that may not be there. */
function viewOf(
  type: NumbersType,
  size: number,
  shell: HostRange,
  byteOffset: number,
  length: number,
): object {
  const range = memoryOf(shell)
  if (!range) throw new TypeError('This is no memory of the model.')
  const isFloat = type.name === 'Float32Array'
  let made: Numbers | undefined
  const real = (): Numbers => (made ??= new type(range.memory(), byteOffset, length))
  const numberAt = (index: number): number | undefined => {
    if (index >= length) return undefined
    if (size !== 4 || range.isMemory) return real()[index]
    const bits = range.words.at(byteOffset / 4 + index)
    return isFloat ? floatOf(bits) : bits
  }
  const members: Readonly<Record<string, unknown>> = {
    length,
    byteLength: length * size,
    BYTES_PER_ELEMENT: size,
    byteOffset,
    buffer: shell,
    set: (source: Numbers, at = 0) => {
      const from = byteOffset + at * size
      const bytes =
        source[Symbol.toStringTag] === type.name || views.get(source)?.type === type
          ? bytesOf(source).byteLength
          : 0
      const isWithin = from % 4 === 0 && bytes % 4 === 0 && at * size + bytes <= length * size
      if (bytes === 0 || !isWithin || range.isMemory) real().set(source, at)
      else range.write(from / 4, bytes / 4, wordsOf(source))
    },
    slice: (...part: readonly number[]) =>
      part.length === 0 && length * size === range.bytes
        ? viewOf(type, size, range.copy(), 0, length)
        : real().slice(...part),
  }
  const view = new Proxy(
    {},
    {
      get: (_, key) => {
        if (typeof key === 'string' && /^\d+$/.test(key)) return numberAt(Number(key))
        if (typeof key === 'string' && Object.hasOwn(members, key)) return members[key]
        if (!(key in type.prototype)) return undefined // as `then`, which a promise asks for
        const value: unknown = Reflect.get(real(), key)
        return typeof value === 'function' ? (value.bind(real()) as unknown) : value
      },
      set: (_, key, value) => Reflect.set(real(), key, value),
      getPrototypeOf: () => type.prototype,
    },
  )
  standIns.set(view, { length, elementBytes: size, real })
  views.set(view, { type, range, elementBytes: size, byteOffset, byteLength: length * size })
  return view
}

const nothing: Source = {
  name: () => '0',
  at: () => 0,
  read: (into) => {
    into.fill(0)
  },
}

/**
 * Programs read a large range through these as they would memory; through any other it becomes
 * memory.
 */
const LAZY: readonly unknown[] = [Float32Array, Uint32Array, Uint8Array]
const OTHERS = [Int8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Float64Array]
const WIDE = [BigInt64Array, BigUint64Array, DataView]

type Native = new (...args: never) => object

/**
 * Constructs the type itself, as without a proxy: V8 gives each object that a proxy makes a shape
 * of its own, and loops over it are 40 times slower.
 */
const constructOwn = (target: Native, args: readonly unknown[], newTarget: object): object =>
  Reflect.construct(
    target,
    args,
    Reflect.get(newTarget, 'prototype') === target.prototype ? target : (newTarget as Native),
  ) as object

/** The arrays of programs that run on the model. */
export function arrays(): Readonly<Record<string, unknown>> {
  const construct = (target: object, args: readonly unknown[], newTarget: object): object => {
    const [range, byteOffset = 0, length] = args as [unknown, number?, number?]
    const make = target as NumbersType & { readonly BYTES_PER_ELEMENT: number }
    const memory = memoryOf(range)
    if (!memory) return constructOwn(make, args, newTarget)
    if (!LAZY.includes(target))
      return Reflect.construct(make, [memory.memory(), byteOffset, length]) as object
    const size = make.BYTES_PER_ELEMENT
    return viewOf(make, size, range as HostRange, byteOffset, length ?? (memory.bytes - byteOffset) / size)
  }
  const memory = new Proxy(ArrayBuffer, {
    construct: (target, args: [number], newTarget) =>
      args[0] > SMALL_BYTES && args[0] % 4 === 0
        ? new HostRange(new RangeMemory(args[0], nothing, 0))
        : constructOwn(target, args, newTarget),
  })
  const kinds = [...(LAZY as readonly (typeof Float32Array)[]), ...OTHERS, ...WIDE]
  return {
    ArrayBuffer: memory,
    ...Object.fromEntries(kinds.map((kind) => [kind.name, new Proxy<object>(kind, { construct })])),
  }
}

/** `set()` of real memory from what may not be there. Call what it returns to have it as it was. */
export function patchSet(): () => void {
  const { prototype } = Object.getPrototypeOf(Uint8Array) as { readonly prototype: Uint8Array }
  const native = prototype.set // oxlint-disable-line typescript/unbound-method -- called with its `this`
  prototype.set = function (this: Uint8Array, source: ArrayLike<number>, at = 0) {
    const view = views.get(source)
    if (!view) {
      native.call(this, source, at)
      return
    }
    const words = new Uint32Array(view.byteLength / 4)
    view.range.words.read?.(words, view.byteOffset / 4)
    native.call(this, new view.type(words.buffer, 0, source.length), at)
  }
  return () => {
    prototype.set = native
  }
}
