/** Which members are patched is data: a table of handlers, installed and restored by one function each. */
import { apply, defineProperty, getOwnPropertyDescriptor } from './intrinsics'

type Method = (this: unknown, ...args: unknown[]) => unknown

/** Stands in for one method of one prototype. It must call `original` exactly once, with `apply`, or throw. */
export interface Patch {
  readonly prototype: object
  readonly member: string
  readonly handle: (original: Method, self: never, args: never) => unknown
}

type MethodsOf<T> = { [Name in keyof T]: T[Name] extends (...args: never) => unknown ? Name : never }[keyof T]

/** One row of the table, typed by the method it stands in for. */
export function patch<T extends object, Name extends MethodsOf<T> & string>(
  owner: { readonly prototype: T },
  member: Name,
  handle: (
    original: Method,
    self: T,
    args: T[Name] extends (...args: infer Args) => unknown ? Args : never,
  ) => unknown,
): Patch {
  return { prototype: owner.prototype, member, handle }
}

/**
 * Installs all rows; a member that this realm does not have is passed over.
 *
 * @returns a function that puts back every property descriptor exactly as it was.
 */
export function install(patches: readonly Patch[]): () => void {
  const before: (readonly [object, string, PropertyDescriptor])[] = []
  for (const { prototype, member, handle } of patches) {
    const descriptor = getOwnPropertyDescriptor(prototype, member)
    if (typeof descriptor?.value !== 'function') continue
    const original = descriptor.value as Method // typeof says so
    const wrapper = function (this: unknown, ...args: unknown[]): unknown {
      // WebGPU itself rejects a wrong `this` or wrong arguments when the handler passes them on.
      return handle(original, this as never, args as never)
    }
    defineProperty(wrapper, 'name', { value: original.name, configurable: true })
    defineProperty(wrapper, 'length', { value: original.length, configurable: true })
    if (defineProperty(prototype, member, { ...descriptor, value: wrapper }))
      before.push([prototype, member, descriptor])
  }
  return () => {
    for (const [prototype, member, descriptor] of before.splice(0).reverse())
      defineProperty(prototype, member, descriptor)
  }
}

/** The original's result, whatever it throws. */
export const callOriginal = (original: Method, self: object, args: readonly unknown[]): unknown =>
  apply(original, self, args)
