/**
 * Counts what really reaches WebGPU, whoever calls it: a library that skipped a product would be found by its missing dispatch. Always
 * on, for all libraries alike; one addition a call.
 */
export interface DispatchCount {
  readonly dispatches: number
  readonly submits: number
}

let dispatches = 0
let submits = 0

function count(owner: object, method: string, add: () => void): void {
  const original: unknown = Reflect.get(owner, method)
  if (typeof original !== 'function') throw new Error(`there is no ${method} to count`)
  const counted = function (this: unknown, ...args: unknown[]): unknown {
    add()
    return Reflect.apply(original, this, args)
  }
  Reflect.set(owner, method, counted)
}

/** Takes the prototypes of GPUComputePassEncoder and GPUQueue, once a page, before any library starts. */
export function countDispatches(pass: object, queue: object): void {
  for (const method of ['dispatchWorkgroups', 'dispatchWorkgroupsIndirect'])
    count(pass, method, () => {
      dispatches += 1
    })
  count(queue, 'submit', () => {
    submits += 1
  })
}

export const dispatchCount = (): DispatchCount => ({ dispatches, submits })
