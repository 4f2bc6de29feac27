/** One realm’s WebGPU, captured when a session starts, before a program runs. */

/**
 * Methods as functions whose first argument is their `this`: what a session patches is called past
 * it.
 */
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
  readonly GPUShaderModule: Class<GPUShaderModule>
  /** Left out where features are a plain set. */
  readonly GPUSupportedFeatures?: Class<GPUSupportedFeatures>
  readonly Promise: PromiseConstructor
  readonly performance: { readonly timeOrigin: number; now: () => number }
}

/**
 * WebGPU’s methods as they were before the session: the recorder’s own commands bypass its
 * patches.
 */
export type Natives = ReturnType<typeof captureNatives>

/* oxlint-disable typescript/unbound-method -- unbound on purpose: uncurry() gives each its `this` */
export function captureNatives(realm: Realm) {
  const device = realm.GPUDevice.prototype
  const queue = realm.GPUQueue.prototype
  const buffer = realm.GPUBuffer.prototype
  const encoder = realm.GPUCommandEncoder.prototype
  const features = realm.GPUSupportedFeatures?.prototype
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
    hasFeature: features
      ? uncurry<GPUSupportedFeatures, [string], boolean>(features.has)
      : (self: GPUSupportedFeatures, name: string) => self.has(name),
    eachFeature: features
      ? uncurry<GPUSupportedFeatures, [(name: string) => void], unknown>(features.forEach)
      : (self: GPUSupportedFeatures, visit: (name: string) => void) => self.forEach(visit),
    now: uncurry(realm.performance.now),
  }
}
/* oxlint-enable typescript/unbound-method */
