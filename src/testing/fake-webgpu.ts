/**
 * WebGPU for tests in Node: classes with methods on their prototypes, so that they form a realm that can be patched. Commands run at
 * submit() on ArrayBuffers, passes advance a device clock, completion is reported when the test says so (or at the next macrotask).
 * It throws where WebGPU would object: no use of a mapped or destroyed buffer in a submit, no second mapAsync(), copies in words of
 * 4 bytes, command buffers submitted once.
 */
import type { Realm } from '../recorder/realm'

export interface FakeOptions {
  readonly timestamps?: boolean
  /** The adapter calls itself a fallback. */
  readonly isSoftware?: boolean
  /** Ticks of one pass and of the pause before it. 0.1 ms: a pass longer than setTimeout's 1 ms round trip would rightly be rejected. */
  readonly passTicks?: number
  readonly gapTicks?: number
  /** Ticks of a byte that is copied or written. */
  readonly byteTicks?: number
  /** Timestamps are floored to this. */
  readonly quantum?: bigint
  /** true: completion is reported at the next macrotask. false: when the test calls `complete()`. */
  readonly autoComplete?: boolean
  readonly originTick?: bigint
  /** Ticks of each workgroup of a pass, added to `passTicks`. */
  readonly workgroupTicks?: number
  /** Puts off what is reported at the next macrotask. Default: a timeout of 0, which Node makes 1 ms. */
  readonly soon?: (report: () => void) => void
  /** Called at each call that gives a promise, before it takes effect. 'hang': it never settles. `device`: null before there is one. */
  readonly onAwait?: (call: AwaitedCall, device: FakeDevice | null) => 'hang' | undefined
  /** Each device that is made. */
  readonly onDevice?: (device: FakeDevice) => void
  /** Added to those of LIMITS. */
  readonly limits?: Readonly<Record<string, number>>
  /** What a pass does, when it is executed; nothing where left out. */
  readonly onPass?: (pass: { readonly label: string; readonly dispatches: number }) => void
}

/** The calls of WebGPU that give a promise, of those that the lab makes. */
export type AwaitedCall =
  | 'requestAdapter'
  | 'requestDevice'
  | 'mapAsync'
  | 'onSubmittedWorkDone'
  | 'popErrorScope'
  | 'getCompilationInfo'
  | 'createComputePipelineAsync'

/** Of this machine, whatever a test makes of the time afterwards. */
const realNow = performance.now.bind(performance)
/** Node counts a timeout from the beginning of its turn: after a long turn it fires at once, sooner than any pass could have ended. */
const nextTimeout = (report: () => void): void => {
  const dueMs = realNow() + 0.5
  setTimeout(() => {
    while (realNow() < dueMs);
    report()
  }, 0)
}
const never = <T>(): Promise<T> => new Promise<T>(() => undefined)

/** WebGPU's defaults (§3.6.2), as far as they are read. */
const LIMITS: Readonly<Record<string, number>> = {
  maxBufferSize: 2 ** 28,
  maxStorageBufferBindingSize: 2 ** 27,
  maxComputeWorkgroupStorageSize: 16384,
  maxComputeInvocationsPerWorkgroup: 256,
  maxComputeWorkgroupSizeX: 256,
  maxComputeWorkgroupSizeY: 256,
  maxComputeWorkgroupSizeZ: 64,
  maxComputeWorkgroupsPerDimension: 65535,
  maxStorageBuffersPerShaderStage: 8,
  minStorageBufferOffsetAlignment: 256,
  maxBindGroups: 4,
}

type Write = 'beginningOfPassWriteIndex' | 'endOfPassWriteIndex'

type Command =
  | { readonly type: 'pass'; readonly pass: FakePass }
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
      readonly offset: number
    }

/** Like every object of WebGPU: `label` is an accessor of the prototype. */
class FakeObject {
  #label: string
  constructor(label: unknown = '') {
    this.#label = String(label) // WebIDL converts what is no string
  }
  get label(): string {
    return this.#label
  }
  set label(label: string) {
    this.#label = label
  }
}

export class FakeBuffer extends FakeObject {
  readonly size: number
  readonly usage: number
  readonly data: ArrayBuffer
  mapState: 'unmapped' | 'pending' | 'mapped'
  destroyed = false
  readonly #device: FakeDevice
  #cancelMap: (reason: Error) => void = () => undefined
  #mapped: readonly [start: number, end: number]
  /** Parts of the mapped range that were handed out: an ArrayBuffer cannot be a view of another, so they are copied back. */
  #parts: { readonly offset: number; readonly bytes: ArrayBuffer }[] = []

  constructor(device: FakeDevice, { label, size, usage, mappedAtCreation = false }: GPUBufferDescriptor) {
    super(label)
    this.#device = device
    this.size = size
    this.usage = usage
    this.data = new ArrayBuffer(size)
    this.mapState = mappedAtCreation ? 'mapped' : 'unmapped'
    this.#mapped = [0, size]
  }

  mapAsync(_mode?: number, offset = 0, size = this.size - offset): Promise<undefined> {
    if (this.#device.awaits('mapAsync') === 'hang') return never()
    if (this.mapState !== 'unmapped')
      return Promise.reject(new Error(`mapAsync on '${this.label}' while ${this.mapState}`))
    this.mapState = 'pending'
    this.#mapped = [offset, offset + size]
    return new Promise((resolve, reject) => {
      this.#cancelMap = reject
      this.#device.settled().then(() => {
        if (this.mapState !== 'pending') return
        this.mapState = 'mapped'
        resolve(undefined)
      }, reject)
    })
  }

  getMappedRange(offset = 0, size = this.size - offset): ArrayBuffer {
    if (this.mapState !== 'mapped')
      throw new Error(`getMappedRange on '${this.label}' while ${this.mapState}`)
    const [start, end] = this.#mapped
    if (offset < start || offset + size > end)
      throw new Error(`getMappedRange on '${this.label}' beyond what is mapped of it`)
    if (offset === 0 && size === this.size) return this.data
    const bytes = this.data.slice(offset, offset + size)
    this.#parts.push({ offset, bytes })
    return bytes
  }

  unmap(): void {
    this.#unmap()
  }

  destroy(): void {
    this.#unmap() // not the method, which may be patched
    this.destroyed = true
  }

  #unmap(): void {
    const wasPending = this.mapState === 'pending'
    for (const { offset, bytes } of this.#parts) new Uint8Array(this.data).set(new Uint8Array(bytes), offset)
    this.#parts = []
    this.mapState = 'unmapped'
    if (wasPending) this.#cancelMap(new Error('unmapped before it was mapped'))
  }
}

/** A text with the words SYNTAX ERROR does not compile. */
export class FakeShaderModule extends FakeObject {
  readonly code: string
  readonly messages: readonly object[]
  readonly #device: FakeDevice
  constructor(device: FakeDevice, code: string) {
    super()
    this.#device = device
    this.code = code
    this.messages = code.includes('SYNTAX ERROR')
      ? [{ type: 'error', lineNum: 3, linePos: 5, message: 'expected something else' }]
      : []
  }
  getCompilationInfo(): Promise<{ readonly messages: readonly object[] }> {
    return this.#device.awaits('getCompilationInfo') === 'hang'
      ? never()
      : Promise.resolve({ messages: this.messages })
  }
}

class FakeComputePipeline extends FakeObject {
  getBindGroupLayout(): object {
    return {}
  }
}

export class FakeQuerySet extends FakeObject {
  readonly values: BigUint64Array
  destroyed = false
  constructor({ label, count }: GPUQuerySetDescriptor) {
    super(label)
    this.values = new BigUint64Array(count)
  }
  destroy(): void {
    this.destroyed = true
  }
}

class FakePass extends FakeObject {
  readonly writes: GPUComputePassTimestampWrites | undefined
  dispatches = 0
  workgroups = 0
  constructor({ label, timestampWrites }: GPUComputePassDescriptor) {
    super(label)
    this.writes = timestampWrites
  }
  setPipeline(): void {}
  setBindGroup(): void {}
  pushDebugGroup(): void {}
  popDebugGroup(): void {}
  end(): void {}
}
class FakeComputePass extends FakePass {
  dispatchWorkgroups(x = 1, y = 1, z = 1): void {
    this.dispatches += 1
    this.workgroups += x * y * z
  }
  dispatchWorkgroupsIndirect(): void {}
  override setPipeline(): void {}
  override pushDebugGroup(): void {}
}
class FakeRenderPass extends FakePass {
  draw(): void {}
  override pushDebugGroup(): void {}
}

class FakeCommandBuffer extends FakeObject {
  readonly commands: readonly Command[]
  isSubmitted = false
  constructor(label: string, commands: readonly Command[]) {
    super(label)
    this.commands = commands
  }
}

class FakeCommandEncoder extends FakeObject {
  readonly #device: FakeDevice
  readonly #commands: Command[] = []
  #isFinished = false

  constructor(device: FakeDevice, label = '') {
    super(label)
    this.#device = device
  }
  beginComputePass(descriptor: GPUComputePassDescriptor = {}): FakeComputePass {
    return this.#begin(new FakeComputePass(descriptor))
  }
  beginRenderPass(descriptor: GPURenderPassDescriptor): FakeRenderPass {
    return this.#begin(new FakeRenderPass(descriptor))
  }
  copyBufferToBuffer(from: FakeBuffer, ...rest: readonly (FakeBuffer | number | undefined)[]): void {
    // Both forms of the call: with offsets, and (from, to, size?).
    const [fromOffset, to, toOffset, size] = (rest[0] instanceof FakeBuffer
      ? [0, rest[0], 0, rest[1] ?? from.size]
      : rest) as unknown as readonly [number, FakeBuffer, number, number]
    if (size % 4 !== 0 || fromOffset % 4 !== 0 || toOffset % 4 !== 0) throw new Error('copy not in words')
    this.#commands.push({ type: 'copy', from, fromOffset, to, toOffset, size })
  }
  copyBufferToTexture(): void {}
  copyTextureToBuffer(): void {}
  copyTextureToTexture(): void {}
  clearBuffer(buffer: FakeBuffer): void {
    this.#commands.push({ type: 'clear', buffer })
  }
  resolveQuerySet(set: FakeQuerySet, first: number, count: number, to: FakeBuffer, offset: number): void {
    if (set.destroyed) this.#device.raise('resolve of a destroyed query set')
    this.#commands.push({ type: 'resolve', set, first, count, to, offset })
  }
  pushDebugGroup(): void {}
  popDebugGroup(): void {}
  finish(descriptor: GPUCommandBufferDescriptor = {}): FakeCommandBuffer {
    if (this.#isFinished) this.#device.raise('encoder finished twice')
    this.#isFinished = true
    return new FakeCommandBuffer(descriptor.label ?? this.label, this.#commands)
  }

  #begin<Pass extends FakePass>(pass: Pass): Pass {
    this.#commands.push({ type: 'pass', pass })
    return pass
  }
}

export class FakeQueue extends FakeObject {
  readonly #device: FakeDevice
  constructor(device: FakeDevice) {
    super()
    this.#device = device
  }
  submit(buffers: Iterable<FakeCommandBuffer>): void {
    this.#device.run([...buffers])
  }
  writeBuffer(buffer: FakeBuffer, offset: number, data: ArrayBuffer | ArrayBufferView): void {
    const bytes = ArrayBuffer.isView(data)
      ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      : new Uint8Array(data)
    new Uint8Array(buffer.data).set(bytes, offset)
    this.#device.carried(bytes.length)
  }
  writeTexture(): void {}
  onSubmittedWorkDone(): Promise<undefined> {
    if (this.#device.awaits('onSubmittedWorkDone') === 'hang') return never()
    return this.#device.settled().then(() => undefined)
  }
}

/** With methods of its own, as WebGPU's class has: a set's are every set's. */
class FakeFeatures extends Set<string> {
  override get size(): number {
    return super.size
  }
  override has(name: string): boolean {
    return super.has(name)
  }
  override keys(): SetIterator<string> {
    return super.keys()
  }
  override values(): SetIterator<string> {
    return super.values()
  }
  override entries(): SetIterator<[string, string]> {
    return super.entries()
  }
  override forEach(callback: (name: string, same: string, set: Set<string>) => void): void {
    super.forEach(callback)
  }
  override [Symbol.iterator](): SetIterator<string> {
    return super[Symbol.iterator]()
  }
}

export class FakeDevice extends FakeObject {
  readonly buffers: FakeBuffer[] = []
  readonly querySets: FakeQuerySet[] = []
  /** 'submit a, b', 'pass', 'copy x -> y', 'resolve', in the order executed. */
  readonly log: string[] = []
  tick: bigint
  readonly features: ReadonlySet<string>
  readonly limits: Readonly<Record<string, number>>
  /** Messages of errors that no scope caught. */
  readonly uncaptured: string[] = []
  /** Error that the next pushErrorScope() catches. */
  nextError: GPUError | null = null
  readonly #queue = new FakeQueue(this)
  readonly #options: FakeOptions
  #pending: { readonly resolve: () => void; readonly reject: (reason: Error) => void }[] = []
  #lose: (info: GPUDeviceLostInfo) => void = () => undefined
  readonly lost = new Promise<GPUDeviceLostInfo>((resolve) => (this.#lose = resolve))
  #lost = false
  /** destroy() was called: what was made on it is gone. */
  destroyed = false
  readonly #scopes: { error: GPUError | null }[] = []

  constructor(options: FakeOptions = {}, features: readonly string[] = ['timestamp-query']) {
    super()
    this.#options = {
      autoComplete: true,
      passTicks: 100_000,
      gapTicks: 10_000,
      byteTicks: 0,
      quantum: 1n,
      ...options,
    }
    this.features = new FakeFeatures(options.timestamps === false ? [] : features)
    this.limits = { ...LIMITS, ...options.limits }
    // As the H200 does: Unix-epoch nanoseconds, above 2^53.
    this.tick = options.originTick ?? 1_790_000_000_000_000_000n
  }

  /** Uncaptured errors are kept in `uncaptured`. */
  addEventListener(): void {}

  awaits(call: AwaitedCall): 'hang' | undefined {
    return this.#options.onAwait?.(call, this)
  }

  get queue(): FakeQueue {
    return this.#queue
  }

  /** Everything submitted so far has ended, and the host is told. */
  complete(): void {
    for (const { resolve } of this.#pending.splice(0)) resolve()
  }

  lose(reason: 'unknown' | 'destroyed' = 'unknown'): void {
    this.#lost = true
    this.#lose({ reason, message: 'test' } as GPUDeviceLostInfo) // without its prototype
    for (const { reject } of this.#pending.splice(0)) reject(new Error('device lost'))
  }

  destroy(): void {
    this.destroyed = true
    this.lose('destroyed')
  }

  /** A GPU-side error, to the innermost scope. */
  raise(error: string | GPUError): void {
    const scope = this.#scopes.at(-1)
    const raised = typeof error === 'string' ? { message: error } : error
    if (scope) scope.error ??= raised
    else this.uncaptured.push(raised.message)
  }

  /** Scopes that were pushed and not popped. */
  get openScopes(): number {
    return this.#scopes.length
  }

  settled(): Promise<void> {
    if (this.#lost) return Promise.reject(new Error('device lost'))
    return new Promise((resolve, reject) => {
      const asked = { resolve, reject }
      this.#pending.push(asked)
      if (!this.#options.autoComplete) return
      const { soon = nextTimeout } = this.#options
      // What was asked later is not over yet: its own time has not passed.
      soon(() => {
        for (const each of this.#pending.splice(0, this.#pending.indexOf(asked) + 1)) each.resolve()
      })
    })
  }

  createBuffer(descriptor: GPUBufferDescriptor): FakeBuffer {
    const buffer = new FakeBuffer(this, descriptor)
    this.buffers.push(buffer)
    return buffer
  }

  createQuerySet(descriptor: GPUQuerySetDescriptor): FakeQuerySet {
    const set = new FakeQuerySet(descriptor)
    this.querySets.push(set)
    return set
  }

  createShaderModule({ code }: { code: string }): FakeShaderModule {
    const module = new FakeShaderModule(this, code)
    if (module.messages.length > 0) this.raise('Error while parsing WGSL')
    return module
  }

  createComputePipeline(descriptor: GPUComputePipelineDescriptor) {
    this.log.push(`pipeline ${descriptor.label ?? ''}`)
    return new FakeComputePipeline()
  }

  createTexture(): object {
    return {}
  }

  createComputePipelineAsync(descriptor: GPUComputePipelineDescriptor) {
    if (this.awaits('createComputePipelineAsync') === 'hang') return never<FakeComputePipeline>()
    this.log.push(`pipeline ${descriptor.label ?? ''}`)
    return Promise.resolve(new FakeComputePipeline())
  }

  createBindGroup(): object {
    return {}
  }

  createBindGroupLayout(): object {
    return {}
  }

  createPipelineLayout(): object {
    return {}
  }

  pushErrorScope(): void {
    this.#scopes.push({ error: this.nextError })
    this.nextError = null
  }

  popErrorScope(): Promise<GPUError | null> {
    const hangs = this.awaits('popErrorScope') === 'hang'
    const scope = this.#scopes.pop()
    if (hangs) return never()
    return scope ? Promise.resolve(scope.error) : Promise.reject(new Error('no error scope'))
  }

  createCommandEncoder({ label = '' }: { label?: string } = {}): FakeCommandEncoder {
    return new FakeCommandEncoder(this, label)
  }

  /** For FakeQueue.submit(). */
  run(buffers: readonly FakeCommandBuffer[]): void {
    if (this.#lost) return
    this.log.push(`submit ${buffers.map((buffer) => buffer.label).join(', ')}`)
    for (const buffer of buffers) {
      if (buffer.isSubmitted) throw new Error(`'${buffer.label}' submitted twice`)
      buffer.isSubmitted = true
      for (const command of buffer.commands) this.#execute(command)
    }
  }

  /** For FakeQueue.writeBuffer() and copies. */
  carried(bytes: number): void {
    this.tick += BigInt(Math.round(bytes * (this.#options.byteTicks ?? 0)))
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
        const { passTicks = 0, gapTicks = 0, workgroupTicks = 0 } = this.#options
        this.tick += BigInt(gapTicks)
        this.#write(command.pass.writes, 'beginningOfPassWriteIndex')
        this.tick += BigInt(passTicks + workgroupTicks * command.pass.workgroups)
        this.#options.onPass?.(command.pass)
        this.#write(command.pass.writes, 'endOfPassWriteIndex')
        break
      }
      case 'copy':
        this.#use(command.from)
        this.#use(command.to)
        this.log.push(`copy ${command.from.label} -> ${command.to.label}`)
        this.carried(command.size)
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
          command.offset / BigUint64Array.BYTES_PER_ELEMENT,
        )
        break
    }
  }

  #write(writes: GPUComputePassTimestampWrites | undefined, which: Write): void {
    const index = writes?.[which]
    if (!writes || index === undefined) return
    const quantum = this.#options.quantum ?? 1n
    // The only query sets there are.
    const set = writes.querySet as unknown as FakeQuerySet
    if (set.destroyed) this.raise('timestamp into a destroyed query set')
    set.values[index] = (this.tick / quantum) * quantum
  }
}

export class FakeAdapter extends FakeObject {
  readonly features: ReadonlySet<string>
  readonly limits: Readonly<Record<string, number>>
  readonly info: object
  /** As given, newest last. */
  readonly descriptors: (GPUDeviceDescriptor | undefined)[] = []
  readonly #options: FakeOptions
  constructor(options: FakeOptions = {}) {
    super()
    this.#options = options
    this.features = new FakeFeatures(options.timestamps === false ? [] : ['timestamp-query', 'subgroups'])
    this.limits = { ...LIMITS, ...options.limits }
    const { isSoftware: isFallbackAdapter = false } = options
    this.info = { vendor: 'fake', architecture: '', device: '', description: '', isFallbackAdapter }
  }
  requestDevice(descriptor?: GPUDeviceDescriptor): Promise<FakeDevice> {
    this.descriptors.push(descriptor)
    if (this.#options.onAwait?.('requestDevice', null) === 'hang') return never()
    const device = new FakeDevice(this.#options, [...(descriptor?.requiredFeatures ?? [])])
    this.#options.onDevice?.(device)
    return Promise.resolve(device)
  }
}

/** `navigator.gpu`. */
export class FakeGpu {
  readonly #options: FakeOptions
  constructor(options: FakeOptions = {}) {
    this.#options = options
  }
  requestAdapter(): Promise<FakeAdapter> {
    return this.#options.onAwait?.('requestAdapter', null) === 'hang'
      ? never()
      : Promise.resolve(new FakeAdapter(this.#options))
  }
}

/** The classes above as a realm. */
export const fakeRealm: Realm & { readonly GPUShaderModule: { readonly prototype: GPUShaderModule } } = {
  GPUAdapter: FakeAdapter,
  GPUDevice: FakeDevice,
  GPUQueue: FakeQueue,
  GPUBuffer: FakeBuffer,
  GPUQuerySet: FakeQuerySet,
  GPUCommandEncoder: FakeCommandEncoder,
  GPUComputePassEncoder: FakeComputePass,
  GPUComputePipeline: FakeComputePipeline,
  GPURenderPassEncoder: FakeRenderPass,
  GPUShaderModule: FakeShaderModule,
  GPUSupportedFeatures: FakeFeatures,
  Promise,
  Function,
  performance,
} as unknown as Realm & { readonly GPUShaderModule: { readonly prototype: GPUShaderModule } } // classes of fakes lack what the recorder and the engine do not use
