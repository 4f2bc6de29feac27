/**
 * Labelled buffers, and who owns them. Allocation is checked at once by an out-of-memory scope, so
 * that a run never goes on with an invalid buffer (WebGPU §21: an allocation that failed still
 * returns an object).
 */
import { CancelledError, FaultError } from '../base/fault'
import type { LabDevice } from './device'
import { faultOfGpuError } from './faults'

/**
 * GPUBufferUsage by name (WebGPU §5.1.2); the namespace object itself does not exist in Node, where
 * tests run.
 */
export const USAGE = {
  mapRead: 0x0001,
  mapWrite: 0x0002,
  copySrc: 0x0004,
  copyDst: 0x0008,
  uniform: 0x0040,
  storage: 0x0080,
  queryResolve: 0x0200,
} as const
/** A storage buffer that copies fill and read back. */
export const STORAGE = USAGE.storage | USAGE.copySrc | USAGE.copyDst
/** GPUMapMode (WebGPU §5.2). */
export const MAP_MODE = { read: 1, write: 2 } as const

export interface OwnedBuffer {
  readonly gpu: GPUBuffer
  readonly label: string
  readonly sizeBytes: number
  readonly destroy: () => void
}

/** WebGPU copies, maps and clears in words of 4 bytes. */
const alignTo4 = (sizeBytes: number): number => Math.ceil(sizeBytes / 4) * 4

export interface Destroyable {
  destroy: () => void
}

/**
 * Owns the objects that a run makes on a device, from the moment they are made: a buffer whose
 * allocation is still being checked when the run is cancelled belongs to the run like any other.
 */
export class Owner {
  readonly #owned = new Set<Destroyable>()
  #hasEnded = false

  /**
   * @throws CancelledError once the run has ended: before anything is made for it, and after each
   * wait.
   */
  check(): void {
    if (this.#hasEnded) throw new CancelledError()
  }

  own<T extends Destroyable>(resource: T): T {
    this.#owned.add(resource)
    return resource
  }

  /** Destroys one thing before the end. */
  release(resource: Destroyable): void {
    this.#owned.delete(resource)
    resource.destroy()
  }

  /** Destroys all that is left, the newest first. */
  end(): void {
    this.#hasEnded = true
    const owned = [...this.#owned].reverse()
    this.#owned.clear()
    for (const resource of owned) resource.destroy()
  }
}

/**
 * The buffer is the owner's at once. Throws FaultError: 'limit' before asking, 'out-of-memory' or
 * 'validation' after; CancelledError where its owner has ended.
 */
export async function createBuffer(
  device: LabDevice,
  owner: Owner,
  label: string,
  sizeBytes: number,
  usage: number,
): Promise<OwnedBuffer> {
  const size = alignTo4(sizeBytes)
  const isStorage = (usage & USAGE.storage) !== 0
  const limitName = isStorage ? 'maxStorageBufferBindingSize' : 'maxBufferSize'
  const limit = Math.min(device.limits[limitName] ?? Infinity, device.limits['maxBufferSize'] ?? Infinity)
  if (size > limit)
    throw new FaultError({
      code: 'limit',
      message: `The buffer '${label}' would take ${String(size)} bytes; this adapter allows ${String(limit)}.`,
      hint: 'Choose a smaller size.',
      data: { limit: limitName, allowed: limit, asked: size },
    })
  owner.check()
  device.gpu.pushErrorScope('validation')
  device.gpu.pushErrorScope('out-of-memory')
  let buffer: OwnedBuffer
  let popped: Promise<readonly (GPUError | null)[]>
  try {
    // Throws where the run was cancelled (recorder/session.ts).
    const gpu = device.gpu.createBuffer({ label, size, usage })
    buffer = owner.own({ gpu, label, sizeBytes: size, destroy: () => gpu.destroy() })
  } finally {
    popped = Promise.all([device.gpu.popErrorScope(), device.gpu.popErrorScope()])
    popped.catch(() => undefined)
  }
  const errors = await popped
  const error = errors.find((candidate) => candidate !== null)
  if (error) {
    owner.release(buffer)
    throw new FaultError(faultOfGpuError(error, `buffer '${label}', ${String(size)} bytes`))
  }
  owner.check()
  return buffer
}
