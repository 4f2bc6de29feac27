/**
 * Buffers that the host can map, each with a lane of its own. One staging buffer's life:
 *
 *   free ──mapAsync()──> mapping ──> mapped ──getMappedRange()──> filled ──unmap()──> in flight ─┐
 *    ^                                 ^                                                         │
 *    │                                 └───── mapAsync() was called before, and resolves ────────┤
 *    └──────────────── the submission that uses it was reported complete ────────────────────────┘
 *
 * A readback buffer is in flight from the submission that copies into it. In Chromium a mapped
 * range is shared memory that the GPU process copies at unmap(). 'In flight' covers that copy, the
 * wait in the queue and the copy on the device.
 */
import { nameOf, type SpanWriter } from './span-writer'
import { USAGE } from './stamps'
import {
  added,
  type BufferRecord,
  type BufferState,
  type DeviceRecord,
  type Submission,
  type Tag,
} from './records'

const isMappable = (usage: number): boolean => (usage & (USAGE.mapRead | USAGE.mapWrite)) !== 0
/** Of staging and readback buffers together. */
const MAX_LANES = 64

interface BufferLane {
  readonly id: number
  user: BufferRecord | null
}

export class Buffers {
  readonly #writer: SpanWriter
  readonly #records = new WeakMap<GPUBuffer, BufferRecord>()
  /** Whose mapped range is held. */
  readonly #accessed = new Set<BufferRecord>()
  readonly #lanes: Readonly<Record<'staging' | 'readback', BufferLane[]>> = { staging: [], readback: [] }
  /** Called when a mapped range is taken. */
  onHeld: () => void = () => undefined

  constructor(writer: SpanWriter) {
    this.#writer = writer
  }

  created(buffer: GPUBuffer, device: DeviceRecord | null, isMapped: boolean): void {
    if (isMapped || isMappable(buffer.usage)) this.#add(buffer, device, isMapped)
  }

  /**
   * Undefined for a buffer that the host cannot map. A buffer made before the session is known
   * from its first use on.
   */
  of(buffer: GPUBuffer): BufferRecord | undefined {
    return this.#records.get(buffer)
  }

  mapCalled(buffer: GPUBuffer): BufferRecord {
    const record = this.#records.get(buffer) ?? this.#add(buffer, null, false)
    // The device still uses the buffer after mapAsync() was called: it is in flight until the
    // promise settles.
    if (record.state !== 'in-flight') this.#change(record, 'mapping', this.#writer.now())
    record.mapPending = true
    return record
  }

  mapSettled(record: BufferRecord, isMapped: boolean, tag: Tag): void {
    record.mapPending = false
    if (isMapped) this.#change(record, 'mapped', this.#writer.now(), tag)
    else if (record.state === 'mapping') this.#change(record, 'free', this.#writer.now(), tag)
  }

  /** getMappedRange() has given so many bytes. */
  accessed(buffer: GPUBuffer, startNs: number, bytes: number): void {
    const record = this.#records.get(buffer)
    if (!record) return
    if (record.access) {
      record.access.bytes += bytes
      return
    }
    const { tag } = this.#writer
    const line = this.#writer.on ? this.#writer.line(record.isReadback ? 'read' : 'fill') : -1
    record.access = { startNs, bytes, tag, line, isHeld: false }
    this.#accessed.add(record)
    this.onHeld()
    if (!record.isReadback && record.state === 'mapped') this.#change(record, 'filled', startNs)
  }

  unmapped(buffer: GPUBuffer): void {
    const record = this.#records.get(buffer)
    if (!record) return
    const now = this.#writer.now()
    const isFilled = record.access !== null && !record.isReadback
    this.#endAccess(record, now)
    // It was held over to this turn of the page.
    if (isFilled && record.state === 'mapped') this.#change(record, 'filled', now)
    if (record.state === 'filled') {
      record.filledSpan = this.#change(record, 'in-flight', now)
      record.submission = null
      if (!record.isMappedOnce) return
      if (this.#writer.on) record.device?.unmapped.push(record)
      else this.#leaveLane(record)
    } else if (record.state === 'mapped' || record.state === 'mapping') this.#change(record, 'free', now)
  }

  /** A submission copies from or into the buffer. */
  used(record: BufferRecord, submission: Submission, bytes: number): void {
    if (record.submission !== submission) {
      submission.buffers = added(submission.buffers, record)
      record.submission = submission
      if (record.isReadback) record.bytes = 0
    }
    if (record.isReadback) record.bytes += bytes
    if (record.state === 'free') this.#change(record, 'in-flight', submission.submitStartNs)
  }

  /** The submission was reported complete, or never will be. */
  released(submission: Submission, atNs: number): void {
    if (!submission.buffers) return
    for (const record of submission.buffers) {
      if (record.state !== 'in-flight' || record.submission !== submission || record.mapPending) continue
      this.#change(record, 'free', atNs, submission.tag)
      if (record.isMappedOnce) this.#leaveLane(record)
    }
  }

  destroyed(buffer: GPUBuffer): void {
    const record = this.#records.get(buffer)
    if (!record) return
    const now = this.#writer.now()
    this.#endAccess(record, now)
    this.#change(record, 'free', now)
    this.#leaveLane(record)
  }

  /**
   * A page began another turn, a task or a frame: by then whoever took a range had returned. A
   * range that is held from one turn to the next, as in a pool of mapped buffers, is mapped all the
   * time, and nobody is at work on it.
   */
  turnBegan(): void {
    for (const record of this.#accessed) {
      if (record.access) record.access.isHeld = true
      if (record.state === 'filled') record.state = 'mapped'
    }
  }

  /** Writes the states that are open now: recording ends here, for a while or for good. */
  close(): void {
    const now = this.#writer.now()
    for (const record of this.#users()) this.#change(record, record.state, now, record.tag)
  }

  /** Recording goes on: what the states were until now is not part of it. */
  reopen(): void {
    const now = this.#writer.now()
    for (const record of this.#users()) record.sinceNs = now
  }

  #add(buffer: GPUBuffer, device: DeviceRecord | null, isMapped: boolean): BufferRecord {
    const [usage, size] = [buffer.usage, buffer.size]
    const isReadback = (usage & USAGE.mapRead) !== 0
    const label = nameOf(buffer.label)
    const record: BufferRecord = {
      label: label === '' ? (isReadback ? 'readback' : 'staging') : label,
      sizeBytes: size,
      isReadback,
      isMappedOnce: !isMappable(usage),
      device,
      lane: -1,
      state: isMapped ? 'mapped' : 'free',
      sinceNs: this.#writer.now(),
      tag: this.#writer.tag,
      mapPending: false,
      access: null,
      bytes: size,
      submission: null,
      filledSpan: -1,
    }
    this.#enterLane(record)
    this.#records.set(buffer, record)
    return record
  }

  #endAccess(record: BufferRecord, now: number): void {
    const { access, isReadback, label } = record
    if (!access) return
    record.access = null
    this.#accessed.delete(record)
    const { bytes, line, isHeld } = access
    // When it was filled is not known, in this call or this turn.
    const [startNs, tag] = isHeld ? [now, this.#writer.tag] : [access.startNs, access.tag]
    if (!isReadback) record.bytes = bytes
    const role = isReadback ? 'read' : 'fill'
    this.#writer.host('host-work', role, `${role} ${label}`, startNs, now, { bytes, tag, line })
  }

  /** Closes the span of the present state and opens the next. Returns the closed span's index. */
  #change(record: BufferRecord, state: BufferState, atNs: number, tag = this.#writer.tag): number {
    const was = record.state
    const moves = was === 'in-flight' || was === 'filled'
    const span =
      record.lane < 0 || atNs < record.sinceNs
        ? -1
        : this.#writer.span(
            record.lane,
            `staging-${was}`,
            'none',
            was.replace('-', ' '),
            record.sinceNs,
            atNs,
            {
              bytes: moves ? record.bytes : undefined,
              submission: was === 'in-flight' ? record.submission?.id : undefined,
              tag: record.tag,
            },
          )
    record.state = state
    record.sinceNs = atNs
    record.tag = tag
    return span
  }

  #enterLane(record: BufferRecord): void {
    const kind = record.isReadback ? 'readback' : 'staging'
    const lanes = this.#lanes[kind]
    let lane = lanes.find(({ user }) => user === null)
    if (!lane) {
      if (this.#lanes.staging.length + this.#lanes.readback.length >= MAX_LANES) {
        this.#writer.builder.reject('no lane for a mappable buffer')
        return
      }
      const name = `${kind} ${String(lanes.length)}`
      const id = this.#writer.builder.addLane({ kind: 'staging', name, clock: 0, group: 'staging' })
      lane = { id, user: null }
      lanes.push(lane)
    }
    lane.user = record
    record.lane = lane.id
  }

  #leaveLane(record: BufferRecord): void {
    const { staging, readback } = this.#lanes
    for (const lane of record.isReadback ? readback : staging) if (lane.user === record) lane.user = null
    record.lane = -1
  }

  #users(): readonly BufferRecord[] {
    return [...this.#lanes.staging, ...this.#lanes.readback].flatMap(({ user }) => user ?? [])
  }
}
