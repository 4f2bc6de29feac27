/** Patches as data: rows of handlers, which one function installs and puts back. */

export type Method = (this: unknown, ...args: unknown[]) => unknown

/** Stands in for one method, or one getter, of one prototype. */
export interface Patch {
  readonly prototype: object
  readonly member: string | symbol
  readonly of: 'value' | 'get'
  /** What stands in: it must call the original exactly once, with `apply`, or throw. */
  readonly wrap: (original: Method) => Method
}

/** A part of a page's recording, with what it patches. */
export interface PagePart {
  readonly patches: readonly Patch[]
  /** The recording ends. */
  readonly end: () => void
}

/** Given the original, `this` and the arguments, of each call. */
type Handle = (original: Method, self: never, args: never) => unknown

type MethodsOf<T> = { [Name in keyof T]: T[Name] extends (...args: never) => unknown ? Name : never }[keyof T]
type ArgumentsOf<T, Name extends keyof T> = T[Name] extends (
  ...args: infer Args extends readonly unknown[]
) => unknown
  ? Args
  : never

/** One row of the table, typed by the method it stands in for. */
export function patch<T extends object, Name extends MethodsOf<T> & (string | symbol)>(
  owner: { readonly prototype: T },
  member: Name,
  handle: (original: Method, self: T, args: ArgumentsOf<T, Name>) => unknown,
): Patch {
  return { prototype: owner.prototype, member, of: 'value', wrap: handled(handle) }
}

/** One row that notes each call before the original has it. */
export const noted = <T extends object, Name extends MethodsOf<T> & (string | symbol)>(
  owner: { readonly prototype: T },
  member: Name,
  note: (self: T, args: ArgumentsOf<T, Name>) => void,
): Patch =>
  patch(owner, member, (original, self, args) => {
    note(self, args)
    return callOriginal(original, self, args)
  })

/** One row that notes each call after the original, where that did not throw. */
export const notedAfter = <T extends object>(
  owner: { readonly prototype: T },
  member: MethodsOf<T> & (string | symbol),
  note: (self: T) => void,
): Patch =>
  patch(owner, member, (original, self, args) => {
    const result = callOriginal(original, self, args)
    note(self)
    return result
  })

/** The same for what a property gives. */
export const patchGetter = <T extends object>(
  owner: { readonly prototype: T },
  member: keyof T & string,
  handle: (original: Method, self: T) => unknown,
): Patch => ({ prototype: owner.prototype, member, of: 'get', wrap: handled(handle) })

/** The same for a member that is named by data. None where the realm has no such class. */
export const patchNamed = (
  owner: { readonly prototype: object } | undefined,
  member: string,
  handle: (original: Method, self: object, args: readonly unknown[]) => unknown,
): readonly Patch[] =>
  owner ? [{ prototype: owner.prototype, member, of: 'value', wrap: handled(handle) }] : []

/** Adds 1 to `totals` at each call, and allocates nothing once the engine has optimised it. */
export const counting = (
  owner: { readonly prototype: object } | undefined,
  member: string,
  totals: Float64Array,
  index: number,
): readonly Patch[] =>
  owner
    ? [
        {
          prototype: owner.prototype,
          member,
          of: 'value',
          wrap: (original) => counter(original, totals, index),
        },
      ]
    : []

/** Wrappers are methods, which like those of WebGPU have no prototype and construct nothing. */
/* oxlint-disable typescript/unbound-method -- their `this` is the caller's */
const handled =
  (handle: Handle): Patch['wrap'] =>
  (original) =>
    ({
      wrapper(this: unknown, ...args: unknown[]): unknown {
        // WebGPU itself rejects a wrong `this` or wrong arguments when the handler passes them on.
        return handle(original, this as never, args as never)
      },
    }).wrapper

function counter(original: Method, totals: Float64Array, index: number): Method {
  return {
    wrapper(): unknown {
      totals[index] = (totals[index] ?? 0) + 1
      // oxlint-disable-next-line prefer-rest-params -- an array of them would be made at each draw
      return Reflect.apply(original, this, arguments)
    },
  }.wrapper
}
/* oxlint-enable typescript/unbound-method */

/**
 * Installs all rows; a member that this realm does not have is passed over.
 *
 * @returns a function that puts back every property descriptor exactly as it was, and returns the
 * names of those that the program had replaced since.
 */
export function install(patches: readonly Patch[]): () => readonly string[] {
  const before: {
    readonly prototype: object
    readonly member: string | symbol
    readonly descriptor: PropertyDescriptor
    readonly isOurs: (now: PropertyDescriptor | undefined) => boolean
  }[] = []
  for (const { prototype, member, of, wrap } of patches) {
    const descriptor = Reflect.getOwnPropertyDescriptor(prototype, member)
    if (typeof descriptor?.[of] !== 'function') continue
    const original = descriptor[of] as Method // typeof says so
    const wrapper = wrap(original)
    Reflect.defineProperty(wrapper, 'name', { value: original.name, configurable: true })
    Reflect.defineProperty(wrapper, 'length', { value: original.length, configurable: true })
    if (Reflect.defineProperty(prototype, member, { ...descriptor, [of]: wrapper }))
      before.push({ prototype, member, descriptor, isOurs: (now) => now?.[of] === wrapper })
  }
  return () => {
    const replaced = new Set<string>()
    for (const { prototype, member, descriptor, isOurs } of before.splice(0).reverse()) {
      if (!isOurs(Reflect.getOwnPropertyDescriptor(prototype, member)))
        replaced.add(nameOf(prototype, member))
      Reflect.defineProperty(prototype, member, descriptor)
    }
    return [...replaced]
  }
}

/** 'GPUQueue.submit' */
function nameOf(prototype: object, member: string | symbol): string {
  const tag: unknown = Reflect.getOwnPropertyDescriptor(prototype, Symbol.toStringTag)?.value
  return typeof tag === 'string' ? `${tag}.${String(member)}` : String(member)
}

/** The original's result, whatever it throws. */
export const callOriginal = (original: Method, self: object, args: readonly unknown[]): unknown =>
  Reflect.apply(original, self, args)
