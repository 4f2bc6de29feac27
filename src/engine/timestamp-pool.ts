/**
 * Pairs of timestamp queries (begin, end of a pass), resolved and read without stalling what is measured.
 *
 * A query set holds at most 4096 queries (WebGPU §20.1), so 2048 passes. Chromium's resolveQuerySet runs an internal compute
 * dispatch (MECHANICS §4): `read` therefore resolves in a submission of its own, which callers place outside measured windows.
 * A full pool gives null and counts it: a pass without timestamps, never a stall.
 */
import { alignTo4, createBuffer, MAP_MODE, USAGE, type OwnedBuffer } from './buffers'
import type { LabDevice } from './device'

export const QUERIES_PER_SET = 4096
const BYTES_PER_QUERY = 8

export interface TimestampSlot {
  /** Index of the pair: queries 2·index and 2·index + 1. */
  readonly index: number
  readonly writes: GPUComputePassTimestampWrites
}

/** Raw device ticks of one pass (u64 nanoseconds by WebGPU's definition). */
export interface TickPair {
  readonly begin: bigint
  readonly end: bigint
}

export class TimestampPool {
  readonly #device: LabDevice
  readonly #set: GPUQuerySet
  readonly #resolve: OwnedBuffer
  readonly #read: OwnedBuffer
  #used = 0
  /** Passes that got no slot because the pool was full. */
  overflow = 0

  private constructor(device: LabDevice, set: GPUQuerySet, resolve: OwnedBuffer, read: OwnedBuffer) {
    this.#device = device
    this.#set = set
    this.#resolve = resolve
    this.#read = read
  }

  /** Null where the device has no timestamp-query. */
  static async create(device: LabDevice): Promise<TimestampPool | null> {
    if (!device.hasTimestamps) return null
    const size = QUERIES_PER_SET * BYTES_PER_QUERY
    const resolve = await createBuffer(device, 'timestamps resolve', size, USAGE.queryResolve | USAGE.copySrc)
    const read = await createBuffer(device, 'timestamps read', size, USAGE.mapRead | USAGE.copyDst)
    const set = device.gpu.createQuerySet({ label: 'timestamps', type: 'timestamp', count: QUERIES_PER_SET })
    return new TimestampPool(device, set, resolve, read)
  }

  take(): TimestampSlot | null {
    const index = this.#used
    if (2 * index + 1 >= QUERIES_PER_SET) {
      this.overflow += 1
      return null
    }
    this.#used += 1
    return {
      index,
      writes: {
        querySet: this.#set,
        beginningOfPassWriteIndex: 2 * index,
        endOfPassWriteIndex: 2 * index + 1,
      },
    }
  }

  get used(): number {
    return this.#used
  }

  /** Resolves and reads all slots taken since the last call, and frees them. Ends after all earlier work on the queue. */
  async read(): Promise<readonly TickPair[]> {
    const count = this.#used
    if (count === 0) return []
    const size = alignTo4(count * 2 * BYTES_PER_QUERY)
    const encoder = this.#device.gpu.createCommandEncoder({ label: 'timestamps' })
    encoder.resolveQuerySet(this.#set, 0, count * 2, this.#resolve.gpu, 0)
    encoder.copyBufferToBuffer(this.#resolve.gpu, 0, this.#read.gpu, 0, size)
    this.#device.gpu.queue.submit([encoder.finish()])
    await this.#read.gpu.mapAsync(MAP_MODE.read, 0, size)
    const ticks = new BigUint64Array(this.#read.gpu.getMappedRange(0, size).slice(0))
    this.#read.gpu.unmap()
    this.#used = 0
    return Array.from({ length: count }, (_, index) => ({
      begin: ticks[2 * index] ?? 0n,
      end: ticks[2 * index + 1] ?? 0n,
    }))
  }

  destroy(): void {
    this.#set.destroy()
    this.#resolve.destroy()
    this.#read.destroy()
  }
}
