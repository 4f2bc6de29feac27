/**
 * Counts what really reaches WebGPU, whoever calls it: a library that skipped a product would be found by its missing dispatch. Always
 * on, for all libraries alike; one addition a call.
 */
let dispatches = 0

/** Takes the prototype of GPUComputePassEncoder, once a page, before any library starts. */
export function countDispatches(pass: object): void {
  for (const method of ['dispatchWorkgroups', 'dispatchWorkgroupsIndirect']) {
    const original: unknown = Reflect.get(pass, method)
    if (typeof original !== 'function') throw new Error(`there is no ${method} to count`)
    Reflect.set(pass, method, function (this: unknown, ...args: unknown[]): void {
      dispatches += 1
      Reflect.apply(original, this, args)
    })
  }
}

export const dispatchCount = (): number => dispatches
