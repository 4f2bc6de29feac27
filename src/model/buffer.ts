/** GPUBuffer and GPUQuerySet of the model. */
import { Contents } from './contents'
import { detached, rangeOf, type HostRange } from './host-memory'
import type { Memory, Timestamps } from './device'
import type { Moment } from './gpu'
import { GpuObject, promised, type MAKER, type Owner } from './gpu-object'

const MAP_READ = 1
const MAP_WRITE = 2

interface Mapped {
  readonly offset: number
  readonly size: number
}

/** A buffer as the other objects of the model know it. */
export interface BufferUse {
  readonly buffer: ModelBuffer
  readonly memory: Memory
  /** Whether a submission may use it; WebGPU refuses all of it where not. */
  readonly isFree: boolean
  /** When the device will have ended what uses it; another as submissions arrive. */
  usedUntil: Moment
}

/** @throws TypeError for anything else */
export let useOf: (buffer: ModelBuffer) => BufferUse

export class ModelBuffer extends GpuObject {
  static {
    useOf = (buffer) => buffer.#use
  }
  readonly #device: Owner
  readonly #size: number
  readonly #usage: number
  #state: GPUBufferMapState = 'unmapped'
  #mapped: Mapped | null = null
  #mode = 0
  #isAtCreation = false
  #ranges: { readonly offset: number; readonly range: ArrayBuffer | HostRange }[] = []
  #reject: (reason: Error) => void = () => undefined
  readonly #use: BufferUse
  #isDestroyed = false

  constructor(
    maker: typeof MAKER,
    device: Owner,
    { label, size, usage, mappedAtCreation = false }: GPUBufferDescriptor,
  ) {
    super(maker, label)
    this.#device = device
    this.#size = size
    this.#usage = usage
    const isMappable = (usage & (MAP_READ | MAP_WRITE)) !== 0 || mappedAtCreation
    const memory = { contents: new Contents(), words: Math.ceil(size / 4), isMappable }
    const isFree = () => this.#state === 'unmapped' && !this.#isDestroyed
    this.#use = {
      buffer: this,
      memory,
      get isFree() {
        return isFree()
      },
      usedUntil: { ns: 0 },
    }
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

  mapAsync(mode: number, offset = 0, size?: number): Promise<undefined> {
    return promised(() => this.#map(mode, offset, size ?? this.#size - offset))
  }

  #map(mode: number, offset: number, size: number): Promise<undefined> {
    const { machine } = this.#device
    machine.call('mapAsync')
    if (!this.#use.isFree) {
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
        endsNs: () => (this.#device.isLost || isGivenUp ? 0 : this.#use.usedUntil.ns),
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

  getMappedRange(offset = 0, size = this.#size - offset): ArrayBuffer | HostRange {
    const { machine } = this.#device
    machine.call('getMappedRange')
    const mapped = this.#mapped
    if (!mapped || offset < mapped.offset || offset + size > mapped.offset + mapped.size)
      throw new DOMException('The range is not mapped.', 'OperationError')
    const { fillRate, readRate, newMemoryRate } = machine.card.host
    const isRead = this.#mode === MAP_READ
    // What a program does with a range is no call: it is taken to write all of it, or to read it, or to copy it out.
    const copied = () => {
      if (isRead) machine.owe(size / newMemoryRate - size / readRate)
    }
    const range = rangeOf(size, this.#use.memory.contents.snapshot(), offset / 4, copied)
    this.#ranges.push({ offset, range })
    machine.owe(size / (isRead ? readRate : fillRate))
    return range
  }

  unmap(): void {
    this.#device.machine.call('unmap')
    this.#unmap()
  }

  destroy(): void {
    this.#device.machine.call('other')
    this.#unmap()
    this.#isDestroyed = true
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
    const { freshRate, carryRate } = this.#device.machine.card.process
    const rate = this.#isAtCreation ? freshRate : carryRate
    this.#isAtCreation = false
    this.#device.carry(this.#use.memory, held, mapped.size, rate)
  }
}

/** @throws TypeError for anything else */
export let valuesOf: (set: ModelQuerySet) => Timestamps

export class ModelQuerySet extends GpuObject {
  static {
    valuesOf = (set) => set.#values
  }
  readonly #values: Timestamps
  constructor(maker: typeof MAKER, { label, count }: GPUQuerySetDescriptor) {
    super(maker, label)
    this.#values = Array.from({ length: count })
  }
  destroy(): void {
    // Nothing is kept for it.
  }
}
