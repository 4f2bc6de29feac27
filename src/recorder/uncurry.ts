/** Methods as functions whose first argument is their `this`: what a session patches is called past it. */
export const uncurry = <Self, Args extends readonly unknown[], Result>(
  method: (this: Self, ...args: Args) => Result,
): ((self: Self, ...args: Args) => Result) =>
  // bind() of call(): typed as `any` in the standard library.
  Function.prototype.call.bind(method) as (self: Self, ...args: Args) => Result

export type Callback = ((value: never) => unknown) | null | undefined
type Then<Result> = (this: Promise<unknown>, fulfilled: Callback, rejected: Callback) => Result

// The standard types carry type parameters that are of no use here.
const { then } = Promise.prototype as unknown as { readonly then: Then<Promise<unknown>> }
/** Past the `then` that a watched promise has of its own (promises.ts). */
export const promiseThen = uncurry(then)
/**
 * Adds a reaction that nothing follows. `rejected` throws only to report the rejection as
 * unhandled.
 */
export const react = uncurry(then as Then<unknown>)
