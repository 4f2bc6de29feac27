/** GPUBuffer and GPUQuerySet of the model. */
import { Contents } from './contents'
import type { Memory, Timestamps } from './device'
import { GpuObject, type Owner } from './gpu-object'
import { detached, rangeOf, type HostRange } from './host-memory'

const MAP_READ = 1
const MAP_WRITE = 2

export class ModelBuffer extends GpuObject {
  readonly memory: Memory
  /**
   * When the device will have ended what uses it, ns; Infinity while a submission is on its way.
   */
  usedUntilNs = 0
  readonly #device: Owner
  readonly #size: number
  readonly #usage: number
  #state: GPUBufferMapState = 'unmapped'
  #mapped: { readonly offset: number; readonly size: number } | null = null
  #mode = 0
  #isAtCreation = false
  #ranges: { readonly offset: number; readonly range: ArrayBuffer | HostRange }[] = []
  #reject: (reason: Error) => void = () => undefined
  isDestroyed = false

  constructor(device: Owner, { label, size, usage, mappedAtCreation = false }: GPUBufferDescriptor) {
    super(label)
    this.#device = device
    this.#size = size
    this.#usage = usage
    device.machine.made(this)
    const isMappable = (usage & (MAP_READ | MAP_WRITE)) !== 0 || mappedAtCreation
    this.memory = { contents: new Contents(), words: Math.ceil(size / 4), isMappable }
    if (!mappedAtCreation) return
    const { machine } = device
    machine.move(size, machine.profile.host.zeroRate)
    this.#isAtCreation = true
    this.#mode = MAP_WRITE
    this.#setMapped(0, size)
  }

  // Accessors of the prototype, as in WebGPU: exercises take them from there.
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
  /** WebGPU refuses a submission that uses a buffer which is not free. */
  get isFree(): boolean {
    return this.#state === 'unmapped' && !this.isDestroyed
  }

  async mapAsync(mode: number, offset = 0, size = this.size - offset): Promise<undefined> {
    const { machine } = this.#device
    machine.call('mapAsync')
    if (machine.hangs('mapAsync')) await new Promise<never>(() => undefined)
    if (!this.isFree) {
      this.#device.raise('validation', `'${this.label}' is mapped, asked for, or destroyed`)
      throw new DOMException('The buffer is not free.', 'OperationError')
    }
    this.#state = 'pending'
    this.#mode = mode
    await new Promise<void>((resolve, reject) => {
      let isGivenUp = false
      this.#reject = (reason) => {
        isGivenUp = true
        reject(reason)
      }
      machine.process.askWhenEnded({
        endsNs: () => (this.#device.isLost || isGivenUp ? 0 : this.usedUntilNs),
        prepare: (atNs) => atNs + (mode === MAP_READ ? size / machine.profile.process.readbackRate : 0),
        answer: () => {
          if (isGivenUp) return
          if (this.#device.isLost) {
            this.#state = 'unmapped'
            reject(new DOMException('The device is lost.', 'AbortError'))
            return
          }
          this.#setMapped(offset, size)
          resolve()
        },
      })
    })
    return undefined
  }

  getMappedRange(offset = 0, size = this.size - offset): ArrayBuffer | HostRange {
    const { machine } = this.#device
    machine.call('getMappedRange')
    const mapped = this.#mapped
    if (!mapped || offset < mapped.offset || offset + size > mapped.offset + mapped.size)
      throw new DOMException('The range is not mapped.', 'OperationError')
    const { fillRate, readRate, newMemoryRate } = machine.profile.host
    const isRead = this.#mode === MAP_READ
    // A program's work on a range is no call: the model assumes that it writes all of it, reads it,
    // or copies it out.
    const copied = () => {
      if (isRead) machine.clock.owe(size / newMemoryRate - size / readRate)
    }
    const range = rangeOf(size, this.memory.contents.snapshot(), offset / 4, copied, machine.isLazy)
    this.#ranges.push({ offset, range })
    machine.clock.owe(size / (isRead ? readRate : fillRate))
    return range
  }

  unmap(): void {
    this.#device.machine.call('unmap')
    this.#unmap()
  }

  destroy(): void {
    this.#device.machine.call('other')
    this.#unmap() // not the method, which may be patched
    this.isDestroyed = true
  }

  #setMapped(offset: number, size: number): void {
    this.#state = 'mapped'
    this.#mapped = { offset, size }
  }

  #unmap(): void {
    const was = this.#state
    this.#state = 'unmapped'
    if (was === 'pending') this.#reject(new DOMException('unmap() came first.', 'AbortError'))
    const mapped = this.#mapped
    this.#mapped = null
    const ranges = this.#ranges.splice(0)
    if (!mapped) return
    // The page's ranges are detached; what they held goes on its way.
    const held = ranges.map(({ offset, range }) => ({
      offset,
      bytes: range.byteLength,
      words: detached(range),
    }))
    if (this.#mode === MAP_READ) return
    const { freshRate, carryRate } = this.#device.machine.profile.process
    const rate = this.#isAtCreation ? freshRate : carryRate
    this.#isAtCreation = false
    this.#device.carry(this.memory, held, mapped.size, rate)
  }
}

export class ModelQuerySet extends GpuObject {
  readonly values: Timestamps
  isDestroyed = false
  constructor({ machine }: Owner, { label, count }: GPUQuerySetDescriptor) {
    super(label)
    this.values = Array.from({ length: count })
    machine.made(this)
  }
  destroy(): void {
    this.isDestroyed = true
  }
}
