/**
 * One realm's WebGPU (a page's or a worker's) and the intrinsics that the recorder works with. They are captured when this module is
 * evaluated or a session starts, before a program runs: what a program replaces later does not reach the recorder's own calls.
 */

interface Class<T> {
  readonly prototype: T
}

/** The constructors whose prototypes are patched. `globalThis` is one; tests make others. */
export interface Realm {
  readonly GPUAdapter: Class<GPUAdapter>
  readonly GPUDevice: Class<GPUDevice>
  readonly GPUQueue: Class<GPUQueue>
  readonly GPUBuffer: Class<GPUBuffer>
  readonly GPUQuerySet: Class<GPUQuerySet>
  readonly GPUCommandEncoder: Class<GPUCommandEncoder>
  readonly GPUComputePassEncoder: Class<GPUComputePassEncoder>
  readonly GPURenderPassEncoder: Class<GPURenderPassEncoder>
  readonly Promise: PromiseConstructor
  readonly performance: { readonly timeOrigin: number; now: () => number }
}

export const { apply, defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Reflect

const { bind, call } = Function.prototype
/** `method` as a function whose first argument is its `this`. Replacing Function.prototype.call later has no effect on it. */
export const uncurry = <Self, Args extends readonly unknown[], Result>(
  method: (this: Self, ...args: Args) => Result,
): ((self: Self, ...args: Args) => Result) =>
  // bind() of call(): typed as `any` in the standard library.
  apply(bind, call, [method]) as (self: Self, ...args: Args) => Result

const weakGet = uncurry<WeakMap<object, unknown>, [object], unknown>(WeakMap.prototype.get)
const weakSet = uncurry<WeakMap<object, unknown>, [object, unknown], unknown>(WeakMap.prototype.set)

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

export type Callback = ((value: never) => unknown) | null | undefined

export const promiseThen = uncurry<Promise<unknown>, [Callback, Callback], Promise<unknown>>(
  // Its type parameters are of no use here.
  Promise.prototype.then as (
    this: Promise<unknown>,
    fulfilled: Callback,
    rejected: Callback,
  ) => Promise<unknown>,
)

const labelGetter = (prototype: object): ((self: object) => string) => {
  const get = getOwnPropertyDescriptor(prototype, 'label')?.get
  // An accessor in every browser; the fallback serves objects that keep it as a field.
  return get ? uncurry<object, [], string>(get) : (self) => (self as { readonly label?: string }).label ?? ''
}

/** The methods of WebGPU as they were before the session: the recorder's own commands go through these, past its patches. */
export type Natives = ReturnType<typeof captureNatives>

/* eslint-disable @typescript-eslint/unbound-method -- unbound on purpose: uncurry() gives each its `this` */
export function captureNatives(realm: Realm) {
  const device = realm.GPUDevice.prototype
  const queue = realm.GPUQueue.prototype
  const buffer = realm.GPUBuffer.prototype
  const encoder = realm.GPUCommandEncoder.prototype
  return {
    createBuffer: uncurry(device.createBuffer),
    createQuerySet: uncurry(device.createQuerySet),
    createCommandEncoder: uncurry(device.createCommandEncoder),
    pushErrorScope: uncurry(device.pushErrorScope),
    popErrorScope: uncurry(device.popErrorScope),
    submit: uncurry(queue.submit),
    onSubmittedWorkDone: uncurry(queue.onSubmittedWorkDone),
    mapAsync: uncurry(buffer.mapAsync),
    getMappedRange: uncurry(buffer.getMappedRange),
    unmap: uncurry(buffer.unmap),
    destroyBuffer: uncurry(buffer.destroy),
    destroyQuerySet: uncurry(realm.GPUQuerySet.prototype.destroy),
    beginComputePass: uncurry(encoder.beginComputePass),
    endComputePass: uncurry(realm.GPUComputePassEncoder.prototype.end),
    copyBufferToBuffer: uncurry<GPUCommandEncoder, [GPUBuffer, number, GPUBuffer, number, number], undefined>(
      encoder.copyBufferToBuffer,
    ),
    resolveQuerySet: uncurry(encoder.resolveQuerySet),
    finish: uncurry(encoder.finish),
    bufferLabel: labelGetter(buffer),
    encoderLabel: labelGetter(encoder),
    now: uncurry(realm.performance.now),
  }
}
/* eslint-enable @typescript-eslint/unbound-method */
