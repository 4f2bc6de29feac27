/**
 * The model's WebGPU in a test's own time: commands run at submit(), a pass moves the device's
 * clock by what the test says, and completion is reported at the next macrotask, or when the test
 * says so.
 */
import type { MachineProfile } from '../model/machine-profile'
import { h200 } from '../model/machines/h200'
import { noMake } from '../model/machines/no-make'
import { ModelBuffer, ModelQuerySet } from '../model/buffer'
import { DeviceTimeline } from '../model/device'
import type { Command, Process, Question } from '../model/gpu-process'
import { GpuObject } from '../model/gpu-object'
import { Machine } from '../model/machine'
import { CLASSES, ModelDevice } from '../model/webgpu'
import type { Realm } from '../recorder/realm'

export interface FakeOptions {
  readonly timestamps?: boolean
  /** The adapter calls itself a fallback. */
  readonly isSoftware?: boolean
  /**
   * ns of one pass and of the pause before a submission. 0.1 ms: a pass longer than setTimeout's 1
   * ms round trip would rightly be rejected.
   */
  readonly passNs?: number
  readonly gapNs?: number
  /** ns of a byte that is copied or written. */
  readonly byteNs?: number
  /** Timestamps are floored to this, ns. */
  readonly stepNs?: number
  /**
   * true: completion is reported at the next macrotask. false: when the test calls `complete()`.
   */
  readonly autoComplete?: boolean
  /**
   * Puts off what is reported at the next macrotask. Default: a timeout of 0, which Node makes 1
   * ms.
   */
  readonly soon?: (report: () => void) => void
  /**
   * Called at each call that gives a promise, before it takes effect. 'hang': it never settles.
   * `device`: null before there is one.
   */
  readonly onAwait?: (call: AwaitedCall, device: FakeDevice | null) => 'hang' | undefined
  /** Each device that is made. */
  readonly onDevice?: (device: FakeDevice) => void
  readonly limits?: Readonly<Record<string, number>>
  /** Called before a pass is executed. */
  readonly onPass?: (label: string) => void
  /** What the lab's kernels take. */
  readonly kernels?: Partial<MachineProfile['device']>
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
/**
 * Node counts a timeout from the beginning of its turn: after a long turn it fires at once, sooner
 * than any pass could have ended.
 */
const nextTimeout = (report: () => void): void => {
  const dueMs = realNow() + 0.5
  setTimeout(() => {
    while (realNow() < dueMs);
    report()
  }, 0)
}
const never = <T>(): Promise<T> => new Promise<T>(() => undefined)

function cardOf({
  passNs = 100_000,
  gapNs = 10_000,
  byteNs = 0,
  stepNs = 1,
  ...options
}: FakeOptions): MachineProfile {
  const rate = 1 / byteNs
  const { timestamps = true, isSoftware: isFallbackAdapter = false, limits, kernels } = options
  return {
    ...noMake,
    environment: {
      ...noMake.environment,
      adapter: { vendor: 'fake', architecture: '', device: '', description: '', isFallbackAdapter },
      features: timestamps ? ['timestamp-query', 'subgroups'] : [],
      limits: { ...noMake.environment.limits, ...limits },
      deviceClockStepNs: stepNs,
    },
    process: {
      ...noMake.process,
      freshRate: rate,
      passNs: 0,
      submitNs: 0,
      commandBufferNs: 0,
      dispatchNs: 0,
      writeNs: 0,
    },
    device: {
      ...noMake.device,
      matmuls: h200.device.matmuls,
      passNs,
      submitGapNs: gapNs,
      commandBufferGapNs: 0,
      uploadRate: rate,
      downloadRate: rate,
      memoryRate: rate,
      ...kernels,
    },
  }
}

/** Runs commands at once, and answers what waits for the device when it is told to. */
class FakeProcess implements Process {
  handled = (): void => undefined
  readonly waiting: Question[] = []
  isLost = false
  readonly #options: FakeOptions
  /** The host's time, by the device's clock. */
  nowNs = (): number => 0

  constructor(options: FakeOptions) {
    this.#options = options
  }
  post(command: Command): void {
    command(this.nowNs())
  }
  flush(): void {
    // What was posted has run.
  }
  ask(answer: () => void): void {
    answer()
  }
  askWhenEnded(question: Question): void {
    this.waiting.push(question)
    if (this.isLost) this.answer()
    const { autoComplete = true, soon = nextTimeout } = this.#options
    if (!autoComplete) return
    // What was asked later is not over yet: its own time has not passed.
    soon(() => {
      this.answer(this.waiting.indexOf(question) + 1)
    })
  }
  answer(count = this.waiting.length): void {
    for (const { answer } of this.waiting.splice(0, count)) answer()
  }
}

class FakeTimeline extends DeviceTimeline {
  readonly #device: () => FakeDevice
  readonly #onPass: (label: string) => void
  constructor(machine: Machine, device: () => FakeDevice, { onPass = () => undefined }: FakeOptions) {
    super(machine)
    this.#device = device
    this.#onPass = onPass
  }
  override run(submitted: Parameters<DeviceTimeline['run']>[0], atNs: number): void {
    const device = this.#device()
    const labels = submitted.map(({ label }) => label)
    device.log.push(`submit ${labels.join(', ')}`)
    for (const command of submitted.flatMap(({ commands }) => commands))
      if (command.type === 'copy')
        device.log.push(`copy ${device.labelOf(command.from)} -> ${device.labelOf(command.to)}`)
      else if (command.type !== 'clear') {
        device.log.push(command.type)
        if (command.type === 'pass') this.#onPass(command.label)
      }
    super.run(submitted, atNs)
    device.submitted(labels)
  }
}

class FakeMachine extends Machine {
  device!: FakeDevice // as soon as there is one
  readonly #options: FakeOptions
  constructor(options: FakeOptions, process: FakeProcess) {
    super(cardOf(options), Infinity, process)
    this.#options = options
    this.isLazy = false
  }
  override timeline(): DeviceTimeline {
    return new FakeTimeline(this, () => this.device, this.#options)
  }
  /** Kernels that are not the lab's compute nothing. */
  override dispatched(): void {}
  override made(object: object): void {
    if (object instanceof ModelBuffer) this.device.buffers.push(object)
    if (object instanceof ModelQuerySet) this.device.querySets.push(object)
  }
  override messagesOf(wgsl: string): readonly object[] {
    this.device.wgsl.push(wgsl)
    return this.device.compiles(wgsl)
      ? []
      : [{ type: 'error', lineNum: 3, linePos: 5, message: 'expected something else' }]
  }
  override hangs(call: AwaitedCall): boolean {
    return this.#options.onAwait?.(call, this.device) === 'hang'
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

/** A device that is further ahead of the host than this was set ahead by a test. */
const MOST_AHEAD_NS = 2e6

export class FakeDevice extends ModelDevice {
  readonly buffers: ModelBuffer[] = []
  readonly querySets: ModelQuerySet[] = []
  /** 'submit a, b', 'pass', 'copy x -> y', 'resolve', in the order executed. */
  readonly log: string[] = []
  /** Of its shader modules. */
  readonly wgsl: string[] = []
  compiles = (wgsl: string): boolean => !wgsl.includes('SYNTAX ERROR')
  /** Messages of errors that no scope caught. */
  readonly uncaptured: string[] = []
  override readonly features: ReadonlySet<string>
  /** Called when command buffers of these labels have been executed. */
  submitted: (labels: readonly string[]) => void = () => undefined
  isDestroyed = false
  readonly #process: FakeProcess

  constructor(options: FakeOptions = {}, features: readonly string[] = ['timestamp-query']) {
    const process = new FakeProcess(options)
    const machine = new FakeMachine(options, process)
    super(machine, [])
    machine.device = this
    this.#process = process
    this.features = new FakeFeatures(options.timestamps === false ? [] : features)
    this.addEventListener('uncapturederror', ({ error }) => {
      this.uncaptured.push(error.message)
    })
  }

  /** Everything submitted so far has ended, and the host is told. */
  complete(): void {
    this.#process.answer()
  }
  override lose(reason: 'destroyed' | 'unknown' = 'unknown'): void {
    super.lose(reason)
    this.#process.isLost = true
    this.complete()
  }
  override destroy(): void {
    this.isDestroyed = true
    super.destroy()
  }

  /**
   * From now on the device's clock runs with the host's: one that stood still between passes would
   * fit no run. And a pass takes its time: completion that was reported before the end that is
   * stamped would contradict it.
   *
   * @param pass lets time pass, where the host's clock is a test's own; else it is read until it is
   * as far
   */
  followHost(mostAheadNs = MOST_AHEAD_NS, pass: (aheadNs: number) => void = () => undefined): void {
    const startedMs = performance.now()
    const nowNs = () => (performance.now() - startedMs) * 1e6
    this.#process.nowNs = nowNs
    const { submitted } = this
    this.submitted = (labels) => {
      const begunNs = nowNs()
      for (
        let at = begunNs;
        this.timeline.endedNs > at && this.timeline.endedNs - begunNs < mostAheadNs;
        at = nowNs()
      )
        pass(this.timeline.endedNs - at)
      submitted(labels)
    }
  }

  labelOf(memory: ModelBuffer['memory']): string {
    return this.buffers.find((each) => each.memory === memory)?.label ?? ''
  }
}

export class FakeAdapter extends GpuObject {
  readonly features: ReadonlySet<string>
  readonly limits: Readonly<Record<string, number>>
  readonly info: object
  /** As given, newest last. */
  readonly descriptors: (GPUDeviceDescriptor | undefined)[] = []
  readonly #options: FakeOptions
  constructor(options: FakeOptions = {}) {
    super()
    this.#options = options
    const { features, limits, adapter } = cardOf(options).environment
    this.features = new FakeFeatures(features)
    this.limits = limits
    this.info = adapter
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

/** Words that a buffer holds. */
export function wordsIn({ memory }: ModelBuffer): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(memory.words)
  memory.contents.snapshot().read?.(words, 0)
  return words
}

/** The classes above as a realm. */
export const fakeRealm: Realm & { readonly GPUShaderModule: { readonly prototype: GPUShaderModule } } = {
  ...CLASSES,
  GPUAdapter: FakeAdapter,
  GPUSupportedFeatures: FakeFeatures,
  Promise,
  Function,
  performance,
} as unknown as Realm & { readonly GPUShaderModule: { readonly prototype: GPUShaderModule } } // classes lack what recorder and engine do not use
