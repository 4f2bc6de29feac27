/**
 * What the recorder keeps of the program’s objects, as plain records. Only the newest encoder and
 * command buffer are kept alive. One of each is made for every submission, so lists that mostly
 * stay empty are null until they are needed: garbage collection is the larger part of what
 * recording costs the host.
 */
import { REPEAT_NONE, type SpanRole } from '../trace/schema'
import type { PageStamps, Resolving } from './page-stamps'
import type { Resolved, StampPool, StampSlot } from './stamps'

/** Variant, repeat and step that a call belongs to, as they were when it was made. */
export interface Tag {
  readonly variant?: string
  readonly repeat: number
  readonly step: number
}
export const NO_TAG: Tag = Object.freeze({ repeat: REPEAT_NONE, step: -1 })

export type BufferState = 'free' | 'mapping' | 'mapped' | 'filled' | 'in-flight'

/** A buffer that the host can map, or that was mapped at its creation. */
export interface BufferRecord {
  readonly label: string
  readonly sizeBytes: number
  readonly isReadback: boolean
  /**
   * Mapped at creation only: its bytes are on the device once the next submission is complete,
   * and it is no staging buffer after that.
   */
  readonly isMappedOnce: boolean
  readonly device: DeviceRecord | null
  /** -1: none was free. */
  lane: number
  state: BufferState
  sinceNs: number
  /** Of the call that led to the present state. */
  tag: Tag
  /** mapAsync() was called and has not settled. */
  mapPending: boolean
  /** From the first getMappedRange() on; null while no range is held. */
  access: {
    readonly startNs: number
    bytes: number
    readonly tag: Tag
    readonly line: number
    /** The call of the program, or the turn of the page, in which the range was taken has ended. */
    isHeld: boolean
  } | null
  /** Bytes of the last fill, or of the last copy into it. */
  bytes: number
  /** The last one that uses the buffer since it was last mapped. */
  submission: Submission | null
  /** Trace index of the last 'staging-filled' span; -1 none. */
  filledSpan: number
}

/** A pass, or copies between two empty passes, with the two timestamps that it has been given. */
export interface Stamped {
  readonly role: Extract<SpanRole, 'pass' | 'render-pass' | 'copy'>
  name: string
  readonly tag: Tag
  readonly line: number
  readonly slot: StampSlot | null
  /** Whether the page takes its timestamps; where they lie, once the page has resolved them. */
  readonly isOfPage: boolean
  ofPage: { readonly set: Resolved; readonly begin: number; readonly end: number } | null
  bytes: number | undefined
  flops: number | undefined
  /** Staging buffers copied from, and the 'staging-filled' spans that these held when submitted. */
  sources: BufferRecord[] | null
  fills: readonly number[] | null
  /** Device ns, once collected and found sound. */
  durationNs: number | undefined
}

/** One command encoder, from its creation until its command buffer is submitted. */
export interface Encoding {
  readonly device: DeviceRecord
  readonly startNs: number
  readonly tag: Tag
  readonly line: number
  label: string
  /** NaN until finish(). */
  endNs: number
  stamped: Stamped[] | null
  /** Mappable buffers that its copies name, with the bytes of each copy. */
  uses: { readonly buffer: BufferRecord; readonly bytes: number }[] | null
  groups: string[] | null
  /** Queries of the page that it resolves. */
  resolving: Resolving[] | null
  /** Copies since the last pass, whose closing pass is still to come. */
  bracket: Stamped | null
  /** With `stamp: 'outer'`: from the first pass to the end of all. */
  outer: Stamped | null
  isSubmitted: boolean
  /** Its span stands in the trace. */
  isWritten: boolean
  /**
   * Index among the session’s encodings that are neither submitted nor written; -1: none of them.
   */
  at: number
}

export interface Submission {
  readonly id: number
  readonly label: string
  readonly tag: Tag
  readonly device: DeviceRecord
  /** Trace index; -1 none. */
  readonly span: number
  /** Host ns. */
  readonly submitStartNs: number
  readonly submitEndNs: number
  /** When completion was reported; null before, and for ever where the device was lost. */
  completedNs: number | null
  readonly encodings: readonly Encoding[]
  /** Buffers that it uses. */
  buffers: BufferRecord[] | null
  /** Wait spans that ended because of it, and its last pass: tied once both are known. */
  waits: number[] | null
  lastPass: number
  /** Whether completion, or the failure to report it, is known; with those who want to know. */
  state: 'pending' | 'complete' | 'failed'
  listeners: (() => void)[] | null
}

/** Adds to a list. A list of one is made as such: pushing to an empty array makes room for 17. */
export function added<T>(list: T[] | null, item: T): T[] {
  if (!list) return [item]
  list.push(item)
  return list
}

export interface DeviceRecord {
  readonly gpu: GPUDevice
  readonly queue: GPUQueue
  /** Counted from 0; lanes of the second are named 'device 2', 'queue 2'. */
  readonly index: number
  /** Null where the device has no timestamp-query, or none are asked for. */
  readonly pool: StampPool | null
  /** Null where there is no pool. */
  readonly pageStamps: PageStamps | null
  /** Step of its timestamps; null: to be found from the stamps themselves. */
  stepNs: number | null
  copyTimingWorks: boolean
  lost: boolean
  queueLane: number
  depthCounter: number
  /** Submitted and not reported complete, in order. */
  inFlight: Submission[]
  /** By variant. */
  readonly paces: Map<string | undefined, Pace>
  /** The newest submission that a question covers whose answer is to come, or has come; -1 none. */
  asked: number
  /** -1 until the first sound stamp. */
  lane: number
  clock: number
  originTick: bigint
  lastEndTick: bigint
  /** Submitted and not yet collected. */
  pending: Submission[]
  last: Submission | null
  /** Buffers mapped once, unmapped and not yet followed by a submission. */
  unmapped: BufferRecord[]
}

/**
 * A weak map of objects that are mostly done with before the next is made, as encoders are. The
 * newest is kept in a field, and reaches the map only if it is still in use when another is set.
 * An entry of a weak map costs 0.3 µs and delays the garbage collector.
 */
export class BriefRecords<Key extends object, Value> {
  readonly #others = new WeakMap<Key, Value>()
  #key: Key | null = null
  #value: Value | undefined

  get(key: Key): Value | undefined {
    return key === this.#key ? this.#value : this.#others.get(key)
  }

  set(key: Key, value: Value): void {
    if (this.#key !== null && this.#value !== undefined) this.#others.set(this.#key, this.#value)
    this.#key = key
    this.#value = value
  }

  /** The newest is not needed any more. Others are let go with their objects. */
  done(key: Key): void {
    if (key !== this.#key) return
    this.#key = null
    this.#value = undefined
  }
}

/**
 * A submission may be reported complete by this much later than if it had been asked about.
 * Chromium polls for completion once a ms, so its own answers are later than this. Kernels of
 * this length, and longer ones, are asked about one by one.
 */
const MAX_DELAY_NS = 0.2e6

/**
 * Measures how long a device takes for a submission of one variant, to know when it need not be
 * asked about each. A question is a command of its own, and its answer wakes this thread. The
 * time runs from a submission to an idle queue until all that followed is reported complete. The
 * report comes late, so the time is rather too long, and more is asked than needed.
 */
export class Pace {
  /** ns of one submission; Infinity until measured. */
  #eachNs = Infinity
  /** Infinitely long ago until a submission of this variant finds the queue idle. */
  #busySinceNs = -Infinity
  /** Completed in the present busy time. */
  #completed = 0

  /** A submission to an idle queue. */
  busyFrom(timeNs: number): void {
    this.#busySinceNs = timeNs
    this.#completed = 0
  }

  /** `count` more were reported complete at once. */
  completed(count: number, timeNs: number, isIdle: boolean): void {
    if (count === 0) return
    this.#completed += count
    const eachNs = (timeNs - this.#busySinceNs) / this.#completed
    // Before the queue is idle it is only certain that they do not take less than was thought.
    if (isIdle || eachNs > this.#eachNs) this.#eachNs = eachNs
  }

  /** Whether so many submissions together take no longer than a report may be late. */
  coversAtOnce(submissions: number): boolean {
    return submissions * this.#eachNs <= MAX_DELAY_NS
  }
}
