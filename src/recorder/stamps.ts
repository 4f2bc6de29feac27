/**
 * Timestamp queries for passes (begin and end), resolved and read without delaying what is
 * measured.
 *
 * A query set holds at most 4096 queries (WebGPU §20.1). Chromium’s resolveQuerySet runs a
 * compute dispatch of its own, so `read` resolves in a submission of its own, outside measured
 * windows. A full pool gives null: a pass without timestamps, never a delay. All commands here
 * have error scopes of their own, pushed and popped in one go, so no error reaches a scope of the
 * program.
 */
import { type Natives, react } from './realm'

export const QUERIES_PER_SET = 4096
export const BYTES_PER_QUERY = 8
/** 32,768 passes between two collects. */
const MAX_SETS = 16
/** WebGPU's constants (§5.1, §5.2); Node has no GPUBufferUsage. */
export const USAGE = { mapRead: 1, mapWrite: 2, copySrc: 4, copyDst: 8, queryResolve: 0x200 } as const
const SCOPES = ['validation', 'out-of-memory', 'internal'] as const

export interface StampSet {
  readonly querySet: GPUQuerySet
  /** Queries handed out. */
  used: number
  /**
   * Slots of command buffers that are not submitted. The set must not be used anew before they
   * are.
   */
  outstanding: number
  /** Made once: a set is used again and again. */
  readonly writes: GPUComputePassTimestampWrites[]
}

/** Queries `index` and `index + 1` of a set. */
export interface StampSlot {
  readonly set: StampSet
  readonly index: number
}

/** A buffer with queries that the page itself resolved (page-stamps.ts). */
export interface Resolved {
  readonly buffer: GPUBuffer
  used: number
  /** Command buffers that write into it and are not submitted. */
  outstanding: number
}

/** Raw ticks of a set, by query. */
export type Ticks = ReadonlyMap<StampSet | Resolved, BigUint64Array>

/** Runs the recorder’s own commands so that no error of theirs reaches a scope of the program. */
export function inOwnScopes<T>(
  natives: Natives,
  gpu: GPUDevice,
  body: () => T,
  onError: (message: string) => void,
): T {
  for (const filter of SCOPES) natives.pushErrorScope(gpu, filter)
  try {
    return body()
  } finally {
    for (let count = 0; count < SCOPES.length; count += 1)
      react(
        natives.popErrorScope(gpu),
        (error: GPUError | null) => {
          if (error) onError(error.message)
        },
        () => undefined, // a lost device answers no scope
      )
  }
}

export class StampPool {
  readonly #gpu: GPUDevice
  readonly #queue: GPUQueue
  readonly #natives: Natives
  #sets: StampSet[] = []
  #current: StampSet | null = null
  #created = 0
  #failed = false
  readonly #retired: StampSet[] = []
  /** Buffers of readings under way. */
  readonly #reading = new Set<GPUBuffer>()
  /** Passes that got no slot because the pool was full or could not be made. */
  overflow = 0

  constructor(gpu: GPUDevice, queue: GPUQueue, natives: Natives) {
    this.#gpu = gpu
    this.#queue = queue
    this.#natives = natives
    const first = this.#create()
    if (first) this.#sets.push(first)
  }

  /** Its own commands failed, for lack of memory: it gives no more slots. */
  get hasFailed(): boolean {
    return this.#failed
  }

  /** Slots handed out and not read. */
  get waiting(): number {
    return this.#sets.reduce((sum, { used }) => sum + used / 2, 0)
  }

  take(): StampSlot | null {
    let set = this.#current
    if (!set || set.used + 2 > QUERIES_PER_SET) {
      set = this.#current = this.#next()
      if (!set) {
        this.overflow += 1
        return null
      }
    }
    const index = set.used
    set.used += 2
    set.outstanding += 1
    return { set, index }
  }

  writes({ set, index }: StampSlot): GPUComputePassTimestampWrites {
    return (set.writes[index >> 1] ??= {
      querySet: set.querySet,
      beginningOfPassWriteIndex: index,
      endOfPassWriteIndex: index + 1,
    })
  }

  /** The slot's commands are submitted, or will never be. */
  release(slot: StampSlot): void {
    slot.set.outstanding -= 1
  }

  /**
   * Ends the use of the present sets.
   *
   * @returns those that may be used again once they are read. A set with slots of command buffers
   * that are not submitted is not among them. It is left to these and never destroyed, since
   * submitting them would then fail.
   */
  seal(): readonly StampSet[] {
    const used = this.#sets.filter((set) => set.used > 0)
    this.#sets = this.#sets.filter((set) => set.used === 0)
    this.#current = null
    const free = used.filter((set) => set.outstanding === 0)
    this.#created -= used.length - free.length
    return free
  }

  /** The session may have stopped while they were read. */
  recycle(sets: readonly StampSet[]): void {
    if (this.#failed) {
      this.drop(sets)
      return
    }
    for (const set of sets) set.used = 0
    this.#sets.push(...sets)
  }

  /** Sets that were sealed, and could not be read. */
  drop(sets: readonly StampSet[]): void {
    for (const { querySet } of sets) this.#natives.destroyQuerySet(querySet)
  }

  /**
   * Resolves and reads sets, after all earlier work on the queue. Rejects where the device is
   * lost.
   */
  async read(sets: readonly (StampSet | Resolved)[]): Promise<Ticks> {
    const ticks = new Map<StampSet | Resolved, BigUint64Array>()
    if (sets.length === 0) return ticks
    const n = this.#natives
    const setBytes = QUERIES_PER_SET * BYTES_PER_QUERY
    const size = sets.length * setBytes
    const buffer = (label: string, usage: number) => n.createBuffer(this.#gpu, { label, size, usage })
    const [resolved, readable, mapped] = this.#inScopes(() => {
      const resolve = buffer('recorder: timestamps', USAGE.queryResolve | USAGE.copySrc)
      const read = buffer('recorder: timestamps read', USAGE.mapRead | USAGE.copyDst)
      const encoder = n.createCommandEncoder(this.#gpu, { label: 'recorder: timestamps' })
      for (const [position, set] of sets.entries())
        if ('querySet' in set)
          n.resolveQuerySet(encoder, set.querySet, 0, set.used, resolve, position * setBytes)
      n.copyBufferToBuffer(encoder, resolve, 0, read, 0, size)
      for (const [position, set] of sets.entries())
        if ('buffer' in set) n.copyBufferToBuffer(encoder, set.buffer, 0, read, position * setBytes, setBytes)
      n.submit(this.#queue, [n.finish(encoder)])
      return [resolve, read, n.mapAsync(read, USAGE.mapRead)] as const
    })
    for (const each of [resolved, readable]) this.#reading.add(each)
    try {
      await mapped
      const all = new BigUint64Array(n.getMappedRange(readable).slice(0))
      for (const [position, set] of sets.entries()) {
        const first = position * QUERIES_PER_SET
        ticks.set(set, all.subarray(first, first + set.used))
      }
      return ticks
    } finally {
      for (const each of [resolved, readable]) {
        this.#reading.delete(each)
        n.destroyBuffer(each)
      }
    }
  }

  /**
   * Gives up a reading that is under way: it rejects. Sets of command buffers that may yet be
   * submitted are left to these.
   */
  destroy(): void {
    this.#fail()
    this.drop(this.#retired.splice(0).filter(({ outstanding }) => outstanding === 0))
    for (const buffer of this.#reading) this.#natives.destroyBuffer(buffer)
  }

  /** Gives no more slots. What was stamped before can still be read. */
  #fail(): void {
    this.#retired.push(...this.#sets.splice(0))
    this.#current = null
    this.#failed = true
  }

  #next(): StampSet | null {
    const free = this.#sets.find((set) => set.used === 0)
    if (free) return free
    const created = this.#create()
    if (created) this.#sets.push(created)
    return created
  }

  #create(): StampSet | null {
    if (this.#failed || this.#created >= MAX_SETS) return null
    this.#created += 1
    const querySet = this.#inScopes(() =>
      this.#natives.createQuerySet(this.#gpu, {
        label: 'recorder: timestamps',
        type: 'timestamp',
        count: QUERIES_PER_SET,
      }),
    )
    return { querySet, used: 0, outstanding: 0, writes: [] }
  }

  /**
   * A pool whose own commands fail gives no more slots: a pass with a bad query set would be an
   * error of the program.
   */
  #inScopes<T>(body: () => T): T {
    return inOwnScopes(this.#natives, this.#gpu, body, () => {
      this.#fail()
    })
  }
}
