/** The devices of a session: those attached to it, those requested while it is on, and those that it meets in use. */
import { BriefRecords, react } from './intrinsics'
import type { Journal } from './journal'
import type { Natives } from './realm'
import type { DeviceRecord } from './records'
import { StampPool } from './stamps'

export interface DeviceFacts {
  /** Step of the device's timestamps in ns; null: found from the stamps themselves. */
  readonly deviceStepNs: number | null
  /** Found by `selfTestCopyTiming`. Default: false, copies are not timed. */
  readonly copyTimingWorks?: boolean | undefined
}

export class Devices {
  readonly all: DeviceRecord[] = []
  readonly #journal: Journal
  readonly #natives: Natives
  readonly #hasStamps: boolean
  readonly #onLost: (device: DeviceRecord) => void
  readonly #firstQueue: Pick<DeviceRecord, 'queueLane' | 'depthCounter'>
  readonly #byDevice = new BriefRecords<GPUDevice, DeviceRecord>()
  readonly #byQueue = new BriefRecords<GPUQueue, DeviceRecord>()

  constructor(
    journal: Journal,
    natives: Natives,
    hasStamps: boolean,
    onLost: (device: DeviceRecord) => void,
  ) {
    this.#journal = journal
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

  #add(gpu: GPUDevice): DeviceRecord {
    const index = this.all.length
    const { queue } = gpu
    const record: DeviceRecord = {
      gpu,
      queue,
      index,
      pool:
        this.#hasStamps && gpu.features.has('timestamp-query')
          ? new StampPool(gpu, queue, this.#natives)
          : null,
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
    react(
      gpu.lost,
      () => {
        record.lost = true
        this.#onLost(record)
      },
      () => undefined, // never rejects (WebGPU §4.4)
    )
    return record
  }

  #addQueue(index: number): Pick<DeviceRecord, 'queueLane' | 'depthCounter'> {
    const { builder } = this.#journal
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
