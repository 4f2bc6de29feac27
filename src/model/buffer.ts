/** GPUBuffer and GPUQuerySet of the model. */
import { Contents } from './contents'
import type { Memory } from './device'
import { GpuObject, type Owner } from './gpu-object'

const MAP_READ = 1
const MAP_WRITE = 2

interface Mapped {
  readonly offset: number
  readonly size: number
  readonly data: Uint8Array<ArrayBuffer>
}

export class ModelBuffer extends GpuObject {
  readonly #device: Owner
  readonly #size: number
  readonly #usage: number
  #state: GPUBufferMapState = 'unmapped'
  #mapped: Mapped | null = null
  #mode = 0
  #isAtCreation = false
  #ranges: { readonly offset: number; readonly bytes: ArrayBuffer }[] = []
  #reject: (reason: Error) => void = () => undefined
  /** For the objects of the model. */
  readonly memory: Memory
  isDestroyed = false
  /** When the device will have ended what uses it, ns; moves on as submissions arrive. */
  usedUntilNs = 0

  constructor(device: Owner, { label, size, usage, mappedAtCreation = false }: GPUBufferDescriptor) {
    super(label)
    this.#device = device
    this.#size = size
    this.#usage = usage
    const isMappable = (usage & (MAP_READ | MAP_WRITE)) !== 0 || mappedAtCreation
    this.memory = { contents: new Contents(), words: Math.ceil(size / 4), isMappable }
    if (!mappedAtCreation) return
    const { machine } = device
    machine.move(size, machine.card.host.zeroRate)
    this.#isAtCreation = true
    this.#mode = MAP_WRITE
    this.#setMapped(0, size)
  }

  get size(): number {
    return this.#size
  }
  get usage(): number {
    return this.#usage
  }
  get mapState(): GPUBufferMapState {
    this.#device.machine.readClock()
    return this.#state
  }

  /** Whether a submission may use it; WebGPU refuses all of it where not. */
  get isFree(): boolean {
    return this.#state === 'unmapped' && !this.isDestroyed
  }

  mapAsync(mode: number, offset = 0, size = this.#size - offset): Promise<undefined> {
    const { machine } = this.#device
    machine.call('mapAsync')
    if (this.#state !== 'unmapped' || this.isDestroyed) {
      this.#device.raise('validation', `'${this.label}' is mapped, asked for, or destroyed`)
      return Promise.reject(new DOMException('The buffer is not free.', 'OperationError'))
    }
    this.#state = 'pending'
    this.#mode = mode
    return new Promise((resolve, reject) => {
      let isGivenUp = false
      this.#reject = (reason) => {
        isGivenUp = true
        reject(reason)
      }
      machine.process.askWhenEnded({
        endsNs: () => (this.#device.isLost || isGivenUp ? 0 : this.usedUntilNs),
        prepare: (atNs) => atNs + (mode === MAP_READ ? size / machine.card.process.readbackRate : 0),
        answer: () => {
          if (isGivenUp) return
          if (this.#device.isLost) {
            this.#state = 'unmapped'
            reject(new DOMException('The device is lost.', 'AbortError'))
            return
          }
          this.#setMapped(offset, size)
          resolve(undefined)
        },
      })
    })
  }

  getMappedRange(offset = 0, size = this.#size - offset): ArrayBuffer {
    const { machine } = this.#device
    machine.call('getMappedRange')
    const mapped = this.#mapped
    if (!mapped || offset < mapped.offset || offset + size > mapped.offset + mapped.size)
      throw new DOMException('The range is not mapped.', 'OperationError')
    const start = offset - mapped.offset
    const isAll = start === 0 && size === mapped.size
    const bytes = isAll ? mapped.data.buffer : mapped.data.slice(start, start + size).buffer
    if (!isAll) this.#ranges.push({ offset, bytes })
    const { fillRate, readRate, newMemoryRate } = machine.card.host
    // What a program does with a range is no call: it is taken to write all of it, or to read it.
    machine.owe(size / (this.#mode === MAP_READ ? readRate : fillRate))
    if (this.#mode === MAP_READ)
      Object.defineProperty(bytes, 'slice', {
        value: (from?: number, to?: number) => {
          machine.owe(size / newMemoryRate - size / readRate)
          return ArrayBuffer.prototype.slice.call(bytes, from ?? 0, to)
        },
      })
    return bytes
  }

  unmap(): void {
    this.#device.machine.call('unmap')
    this.#unmap()
  }

  destroy(): void {
    this.#device.machine.call('other')
    this.#unmap()
    this.isDestroyed = true
  }

  #setMapped(offset: number, size: number): void {
    this.#state = 'mapped'
    const data = new Uint8Array(size)
    this.memory.contents.readInto(new Uint32Array(data.buffer, 0, size >> 2), offset >> 2)
    this.#mapped = { offset, size, data }
  }

  #unmap(): void {
    const was = this.#state
    this.#state = 'unmapped'
    if (was === 'pending') this.#reject(new DOMException('unmap() came first.', 'AbortError'))
    const mapped = this.#mapped
    this.#mapped = null
    if (!mapped || this.#mode === MAP_READ) return
    for (const { offset, bytes } of this.#ranges.splice(0))
      mapped.data.set(new Uint8Array(bytes), offset - mapped.offset)
    // The page's range is detached; what it held goes on its way.
    const held = structuredClone(mapped.data.buffer, { transfer: [mapped.data.buffer] })
    const { freshRate, carryRate } = this.#device.machine.card.process
    const rate = this.#isAtCreation ? freshRate : carryRate
    this.#isAtCreation = false
    this.#device.carry(this.memory, mapped.offset, new Uint32Array(held, 0, mapped.size >> 2), rate)
  }
}

export class ModelQuerySet extends GpuObject {
  readonly values: BigUint64Array
  constructor({ label, count }: GPUQuerySetDescriptor) {
    super(label)
    this.values = new BigUint64Array(count)
  }
  destroy(): void {
    // Nothing is kept for it.
  }
}
