/**
 * JavaScript’s own functions, captured when this module is evaluated, before a program runs. A
 * program that replaces them later does not reach the recorder.
 */
/* oxlint-disable typescript/unbound-method -- unbound on purpose: uncurry() gives each its `this` */
export const { apply, defineProperty, deleteProperty, getOwnPropertyDescriptor, getPrototypeOf } = Reflect

/** Every time goes through it. */
export const { round } = Math

const { bind, call } = Function.prototype
/** `method` as a function whose first argument is its `this`. */
export const uncurry = <Self, Args extends readonly unknown[], Result>(
  method: (this: Self, ...args: Args) => Result,
): ((self: Self, ...args: Args) => Result) =>
  // bind() of call(): typed as `any` in the standard library.
  apply(bind, call, [method]) as (self: Self, ...args: Args) => Result

export type Callback = ((value: never) => unknown) | null | undefined
type Then<Result> = (this: Promise<unknown>, fulfilled: Callback, rejected: Callback) => Result

// The standard types carry type parameters that are of no use here.
const { then } = Promise.prototype as unknown as { readonly then: Then<Promise<unknown>> }
export const promiseThen = uncurry(then)
/**
 * Adds a reaction that nothing follows. `rejected` throws only to report the rejection as
 * unhandled.
 */
export const react = uncurry(then as Then<unknown>)
export const promiseFinally = uncurry<Promise<unknown>, [(() => void) | null | undefined], Promise<unknown>>(
  Promise.prototype.finally,
)

/** A function's text. */
export const functionText = uncurry<object, [], string>(Function.prototype.toString)
export const testPattern = uncurry<RegExp, [string], boolean>(RegExp.prototype.test)

const weakGet = uncurry<WeakMap<object, unknown>, [object], unknown>(WeakMap.prototype.get)
const weakSet = uncurry<WeakMap<object, unknown>, [object, unknown], unknown>(WeakMap.prototype.set)
/** What a set gives, whatever a program makes of Set.prototype. */
export const setValues = uncurry<ReadonlySet<string>, [], SetIterator<string>>(Set.prototype.values)
export const setEntries = uncurry<ReadonlySet<string>, [], SetIterator<[string, string]>>(
  Set.prototype.entries,
)
export const setHas = uncurry<ReadonlySet<string>, [string], boolean>(Set.prototype.has)
export const setAdd = uncurry<Set<string>, [string], unknown>(Set.prototype.add)
export const setForEach = uncurry<ReadonlySet<string>, [(value: string) => void], unknown>(
  Set.prototype.forEach,
)
const OwnSet = Set
export const newSet = (): Set<string> => new OwnSet()
/* oxlint-enable typescript/unbound-method */

/** What the recorder knows about objects of the program, which it does not keep alive. */
export class Records<Key extends object, Value> {
  readonly #map = new WeakMap<object, unknown>()

  get(key: Key): Value | undefined {
    return weakGet(this.#map, key) as Value | undefined // only set() writes
  }

  set(key: Key, value: Value): void {
    weakSet(this.#map, key, value)
  }
}

/**
 * The same for objects that are mostly done with before the next is made, as encoders are. The
 * newest is kept in a field, and reaches the weak map only if it is still in use when another is
 * set. An entry of a weak map costs 0.3 µs and delays the garbage collector.
 */
export class BriefRecords<Key extends object, Value> {
  readonly #others = new Records<Key, Value>()
  #key: Key | null = null
  #value: Value | undefined

  get(key: Key): Value | undefined {
    return key === this.#key ? this.#value : this.#others.get(key)
  }

  set(key: Key, value: Value): void {
    if (this.#key !== null && this.#value !== undefined) this.#others.set(this.#key, this.#value)
    this.#key = key
    this.#value = value
  }

  /** The newest is not needed any more. Others are let go with their objects. */
  done(key: Key): void {
    if (key !== this.#key) return
    this.#key = null
    this.#value = undefined
  }
}
