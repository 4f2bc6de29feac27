/**
 * A GPUDevice for Node tests: commands run at submit() on ArrayBuffers, passes advance a device clock, completion is heard when
 * the test says so (or at the next macrotask). It obeys the rules the engine must keep, and throws where WebGPU would object:
 * no use of a mapped or destroyed buffer in a submit, no second mapAsync, copies in words of 4 bytes.
 */
import type { LabDevice } from '../device'
import type { Fault } from '../../base/fault'

export interface FakeOptions {
  readonly timestamps?: boolean
  /** Ticks of one pass and of the pause before it. 0.1 ms: a pass longer than setTimeout's 1 ms round trip would rightly be rejected. */
  readonly passTicks?: number
  readonly gapTicks?: number
  /** Timestamps are floored to this. */
  readonly quantum?: bigint
  /** true: completion is heard at the next macrotask. false: when the test calls `complete()`. */
  readonly autoComplete?: boolean
  readonly originTick?: bigint
}

type Command =
  | { readonly type: 'pass'; readonly writes: GPUComputePassTimestampWrites | undefined }
  | {
      readonly type: 'copy'
      readonly from: FakeBuffer
      readonly fromOffset: number
      readonly to: FakeBuffer
      readonly toOffset: number
      readonly size: number
    }
  | { readonly type: 'clear'; readonly buffer: FakeBuffer }
  | {
      readonly type: 'resolve'
      readonly set: FakeQuerySet
      readonly first: number
      readonly count: number
      readonly to: FakeBuffer
    }

export class FakeBuffer {
  readonly label: string
  readonly size: number
  readonly usage: number
  readonly data: ArrayBuffer
  mapState: 'unmapped' | 'pending' | 'mapped' = 'unmapped'
  destroyed = false
  readonly #device: FakeDevice

  constructor(device: FakeDevice, descriptor: GPUBufferDescriptor) {
    this.#device = device
    this.label = descriptor.label ?? ''
    this.size = descriptor.size
    this.usage = descriptor.usage
    this.data = new ArrayBuffer(descriptor.size)
  }

  async mapAsync(): Promise<undefined> {
    if (this.mapState !== 'unmapped') throw new Error(`mapAsync on '${this.label}' while ${this.mapState}`)
    this.mapState = 'pending'
    await this.#device.settled()
    this.mapState = 'mapped'
    return undefined
  }

  getMappedRange(offset = 0, size = this.size - offset): ArrayBuffer {
    if (this.mapState !== 'mapped')
      throw new Error(`getMappedRange on '${this.label}' while ${this.mapState}`)
    // One whole range at a time is all that the engine asks for; a write must land in `data`.
    return offset === 0 && size === this.size ? this.data : this.data.slice(offset, offset + size)
  }

  unmap(): void {
    this.mapState = 'unmapped'
  }

  destroy(): void {
    this.destroyed = true
  }
}

export class FakeQuerySet {
  readonly values: BigUint64Array
  destroyed = false
  constructor(count: number) {
    this.values = new BigUint64Array(count)
  }
  destroy(): void {
    this.destroyed = true
  }
}

export class FakeDevice {
  readonly buffers: FakeBuffer[] = []
  readonly querySets: FakeQuerySet[] = []
  /** 'submit a, b', 'pass', 'copy x -> y', 'resolve', in the order executed. */
  readonly log: string[] = []
  tick: bigint
  readonly #options: FakeOptions
  #pending: (() => void)[] = []
  #lose: (info: GPUDeviceLostInfo) => void = () => undefined
  readonly lost = new Promise<GPUDeviceLostInfo>((resolve) => (this.#lose = resolve))
  #lost = false
  #scopes: (GPUError | null)[] = []
  /** Errors that the next popErrorScope() gives. */
  nextError: GPUError | null = null

  constructor(options: FakeOptions = {}) {
    this.#options = { autoComplete: true, passTicks: 100_000, gapTicks: 10_000, quantum: 1n, ...options }
    // As the H200 does: Unix-epoch nanoseconds, above 2^53.
    this.tick = options.originTick ?? 1_790_000_000_000_000_000n
  }

  readonly queue = {
    submit: (buffers: readonly { commands: readonly Command[]; label: string }[]) => {
      if (this.#lost) return
      this.log.push(`submit ${buffers.map((buffer) => buffer.label).join(', ')}`)
      for (const buffer of buffers) for (const command of buffer.commands) this.#execute(command)
    },
    writeBuffer: (buffer: FakeBuffer, offset: number, data: ArrayBuffer) => {
      new Uint8Array(buffer.data).set(new Uint8Array(data), offset)
    },
    onSubmittedWorkDone: async () => {
      await this.settled()
      return undefined
    },
  }

  /** Everything submitted so far has ended and the host hears of it. */
  complete(): void {
    for (const resolve of this.#pending.splice(0)) resolve()
  }

  lose(reason: 'unknown' | 'destroyed' = 'unknown'): void {
    this.#lost = true
    this.#lose({ reason, message: 'test' } as GPUDeviceLostInfo)
  }

  settled(): Promise<void> {
    return new Promise((resolve) => {
      this.#pending.push(resolve)
      if (this.#options.autoComplete)
        setTimeout(() => {
          this.complete()
        }, 0)
    })
  }

  createBuffer(descriptor: GPUBufferDescriptor): FakeBuffer {
    const buffer = new FakeBuffer(this, descriptor)
    this.buffers.push(buffer)
    return buffer
  }

  createQuerySet({ count }: { count: number }): FakeQuerySet {
    const set = new FakeQuerySet(count)
    this.querySets.push(set)
    return set
  }

  createShaderModule({ code }: { code: string }) {
    const messages = code.includes('SYNTAX ERROR')
      ? [{ type: 'error', lineNum: 3, linePos: 5, message: 'expected something else' }]
      : []
    return { getCompilationInfo: () => Promise.resolve({ messages }) }
  }

  createComputePipelineAsync(descriptor: GPUComputePipelineDescriptor) {
    this.log.push(`pipeline ${descriptor.label ?? ''}`)
    return Promise.resolve({ getBindGroupLayout: () => ({}) })
  }

  createBindGroup(): object {
    return {}
  }

  pushErrorScope(): void {
    this.#scopes.push(this.nextError)
    this.nextError = null
  }

  popErrorScope(): Promise<GPUError | null> {
    if (this.#scopes.length === 0) return Promise.reject(new Error('no error scope'))
    return Promise.resolve(this.#scopes.pop() ?? null)
  }

  createCommandEncoder({ label = '' }: { label?: string } = {}) {
    const commands: Command[] = []
    return {
      beginComputePass: ({ timestampWrites }: GPUComputePassDescriptor = {}) => {
        commands.push({ type: 'pass', writes: timestampWrites })
        return {
          setPipeline: () => undefined,
          setBindGroup: () => undefined,
          dispatchWorkgroups: () => undefined,
          end: () => undefined,
        }
      },
      copyBufferToBuffer: (
        from: FakeBuffer,
        fromOffset: number,
        to: FakeBuffer,
        toOffset: number,
        size: number,
      ) => {
        if (size % 4 !== 0 || fromOffset % 4 !== 0 || toOffset % 4 !== 0) throw new Error('copy not in words')
        commands.push({ type: 'copy', from, fromOffset, to, toOffset, size })
      },
      clearBuffer: (buffer: FakeBuffer) => void commands.push({ type: 'clear', buffer }),
      resolveQuerySet: (set: FakeQuerySet, first: number, count: number, to: FakeBuffer) =>
        void commands.push({ type: 'resolve', set, first, count, to }),
      finish: () => ({ commands, label }),
    }
  }

  #use(buffer: FakeBuffer): void {
    if (buffer.destroyed) throw new Error(`'${buffer.label}' used after destroy()`)
    if (buffer.mapState !== 'unmapped')
      throw new Error(`'${buffer.label}' submitted while ${buffer.mapState}`)
  }

  #execute(command: Command): void {
    switch (command.type) {
      case 'pass': {
        this.log.push('pass')
        const { passTicks = 0, gapTicks = 0 } = this.#options
        this.tick += BigInt(gapTicks)
        this.#write(command.writes, 'beginningOfPassWriteIndex')
        this.tick += BigInt(passTicks)
        this.#write(command.writes, 'endOfPassWriteIndex')
        break
      }
      case 'copy':
        this.#use(command.from)
        this.#use(command.to)
        this.log.push(`copy ${command.from.label} -> ${command.to.label}`)
        new Uint8Array(command.to.data).set(
          new Uint8Array(command.from.data, command.fromOffset, command.size),
          command.toOffset,
        )
        break
      case 'clear':
        this.#use(command.buffer)
        new Uint8Array(command.buffer.data).fill(0)
        break
      case 'resolve':
        this.#use(command.to)
        this.log.push('resolve')
        new BigUint64Array(command.to.data).set(
          command.set.values.subarray(command.first, command.first + command.count),
        )
        break
    }
  }

  #write(
    writes: GPUComputePassTimestampWrites | undefined,
    which: 'beginningOfPassWriteIndex' | 'endOfPassWriteIndex',
  ): void {
    const index = writes?.[which]
    if (!writes || index === undefined) return
    const quantum = this.#options.quantum ?? 1n
    ;(writes.querySet as unknown as FakeQuerySet).values[index] = (this.tick / quantum) * quantum
  }
}

/** The fake behind the engine's own interface. */
export function fakeLabDevice(options: FakeOptions = {}): {
  readonly device: LabDevice
  readonly fake: FakeDevice
} {
  const fake = new FakeDevice(options)
  const lostListeners = new Set<(fault: Fault) => void>()
  let lostFault: Fault | null = null
  fake.lost
    .then(({ reason }) => {
      lostFault = { code: 'device-lost', message: `lost: ${reason}` }
      for (const listener of lostListeners) listener(lostFault)
    })
    .catch((thrown: unknown) => {
      throw thrown
    })
  const device: LabDevice = {
    gpu: fake as unknown as GPUDevice,
    info: { vendor: 'fake', architecture: '', device: '', description: '', isFallbackAdapter: false },
    name: 'fake device',
    isSoftware: false,
    features: [],
    limits: { maxBufferSize: 2 ** 28, maxStorageBufferBindingSize: 2 ** 27 },
    hasTimestamps: options.timestamps ?? true,
    lostFault: () => lostFault,
    onLost: (listener) => {
      lostListeners.add(listener)
      return () => void lostListeners.delete(listener)
    },
    onError: () => () => undefined,
    destroy: () => {
      fake.lose('destroyed')
    },
  }
  return { device, fake }
}
