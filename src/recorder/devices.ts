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

/** Of a device, over all sessions: what is to be called when it is lost. */
interface LostListeners {
  isLost: boolean
  listeners: readonly (() => void)[]
}
/**
 * One reaction a device: a promise keeps its reactions, and what they close over, until it
 * settles, and a device outlives hundreds of sessions.
 */
const lostListeners = new WeakMap<GPUDevice, LostListeners>()

/** Call what it returns when the session ends. */
function whenLost(gpu: GPUDevice, listener: () => void): () => void {
  const known = lostListeners.get(gpu)
  const of: LostListeners = known ?? { isLost: false, listeners: [] }
  of.listeners = [...of.listeners, listener]
  const call = () => {
    of.isLost = true
    const { listeners } = of
    of.listeners = []
    for (const each of listeners) each()
  }
  if (!known) lostListeners.set(gpu, of)
  // Never rejects (WebGPU §4.4).
  if (!known || of.isLost) react(gpu.lost, call, () => undefined)
  return () => {
    of.listeners = of.listeners.filter((each) => each !== listener)
  }
}

export class Devices {
  readonly all: DeviceRecord[] = []
  readonly #writer: SpanWriter
  readonly #natives: Natives
  readonly #hasStamps: boolean
  readonly #onLost: (device: DeviceRecord) => void
  #ends: readonly (() => void)[] = []
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

  /** The program has destroyed it: it is lost from now on, and reports that later. */
  destroyed(gpu: GPUDevice): void {
    const record = this.#byDevice.get(gpu)
    if (record) this.#lost(record)
  }

  /** The session has stopped: no device holds on to it. */
  end(): void {
    for (const end of this.#ends) end()
    this.#ends = []
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
    const end = whenLost(gpu, () => {
      this.#lost(record)
    })
    this.#ends = [...this.#ends, end]
    return record
  }

  #lost(record: DeviceRecord): void {
    if (record.lost) return
    record.lost = true
    this.#onLost(record)
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
