/** Registry of buffers whose contents are known without reading them. */

const kept = new WeakSet<ArrayBufferLike>()

/** It is written once and never again: whoever would copy it, to have it as it is now, need not. */
export function keep<T extends ArrayBufferView>(array: T): T {
  kept.add(array.buffer)
  return array
}

export const isKept = (buffer: ArrayBufferLike): boolean => kept.has(buffer)

export interface StandIn {
  readonly length: number
  readonly elementBytes: number
  /** The same as memory, for another thread. */
  readonly real: () => ArrayBuffer | ArrayBufferView
}

/** Objects that behave as typed arrays and are none, since what they hold is not in memory. */
export const standIns = new WeakMap<object, StandIn>()
