/** The devices of a session: attached to it, requested while it is on, or first met in use. */
import type { SpanWriter } from './span-writer'
import { type Natives, react } from './realm'
import { BriefRecords, type DeviceRecord } from './records'
import { PageStamps } from './page-stamps'
import { StampPool } from './stamps'

export interface DeviceFacts {
  /** Step of the device's timestamps in ns; null: found from the stamps themselves. */
  readonly deviceStepNs: number | null
  /** Found by `selfTestCopyTiming`. Default: false, copies are not timed. */
  readonly copyTimingWorks?: boolean | undefined
}

/** A page may put something else in its place. */
const { WeakRef: Weak } = globalThis

export class Devices {
  readonly all: DeviceRecord[] = []
  readonly #writer: SpanWriter
  readonly #natives: Natives
  readonly #hasStamps: boolean
  readonly #onLost: (device: DeviceRecord) => void
  readonly #firstQueue: Pick<DeviceRecord, 'queueLane' | 'depthCounter'>
  readonly #byDevice = new BriefRecords<GPUDevice, DeviceRecord>()
  readonly #byQueue = new BriefRecords<GPUQueue, DeviceRecord>()

  constructor(
    writer: SpanWriter,
    natives: Natives,
    hasStamps: boolean,
    onLost: (device: DeviceRecord) => void,
  ) {
    this.#writer = writer
    this.#natives = natives
    this.#hasStamps = hasStamps
    this.#onLost = onLost
    // The first device's lane stands below the host's, whatever is recorded before that device.
    this.#firstQueue = this.#addQueue(0)
  }

  of(gpu: GPUDevice): DeviceRecord {
    return this.#byDevice.get(gpu) ?? this.#add(gpu)
  }

  /** Undefined for a queue whose device the session has not met. */
  ofQueue(queue: GPUQueue): DeviceRecord | undefined {
    return this.#byQueue.get(queue)
  }

  attach(gpu: GPUDevice, { deviceStepNs, copyTimingWorks = false }: DeviceFacts): void {
    const record = this.of(gpu)
    record.stepNs = deviceStepNs
    record.copyTimingWorks = copyTimingWorks
  }

  /** Destroyed by the program, which reports it later, or lost. */
  lost(gpu: GPUDevice): void {
    const record = this.#byDevice.get(gpu)
    if (!record || record.lost) return
    record.lost = true
    this.#onLost(record)
  }

  #add(gpu: GPUDevice): DeviceRecord {
    const index = this.all.length
    const { queue } = gpu
    const natives = this.#natives
    const hasStamps = this.#hasStamps && natives.hasFeature(gpu.features, 'timestamp-query')
    const record: DeviceRecord = {
      gpu,
      queue,
      index,
      pool: hasStamps ? new StampPool(gpu, queue, natives) : null,
      pageStamps: hasStamps ? new PageStamps(gpu, natives) : null,
      stepNs: null,
      copyTimingWorks: false,
      lost: false,
      ...(index === 0 ? this.#firstQueue : this.#addQueue(index)),
      inFlight: [],
      paces: new Map(),
      asked: -1,
      lane: -1,
      clock: -1,
      originTick: 0n,
      lastEndTick: 0n,
      pending: [],
      last: null,
      unmapped: [],
    }
    this.all.push(record)
    this.#byDevice.set(gpu, record)
    this.#byQueue.set(queue, record)
    // Never rejects (WebGPU §4.4). A promise keeps what its reactions close over until it settles,
    // and a device outlives hundreds of sessions.
    const self = new Weak(this)
    react(
      gpu.lost,
      () => self.deref()?.lost(gpu),
      () => undefined,
    )
    return record
  }

  #addQueue(index: number): Pick<DeviceRecord, 'queueLane' | 'depthCounter'> {
    const { builder } = this.#writer
    const queueLane = builder.addLane({
      kind: 'queue',
      name: numbered('queue', index),
      clock: 0,
      group: 'queue',
    })
    const depthCounter = builder.addCounter({
      name: numbered('queue depth', index),
      unit: 'submissions',
      lane: queueLane,
    })
    return { queueLane, depthCounter }
  }
}

/** 'device', 'device 2', … */
export const numbered = (name: string, index: number): string =>
  index === 0 ? name : `${name} ${String(index + 1)}`
