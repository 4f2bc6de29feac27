/**
 * What a table of a vendor says: what events are by their category, their process and their name,
 * and what the host does in a call of its runtime. One file a vendor; index.ts asks them all.
 */
export const OTHER = 0
/** Work on a device: a kernel, a copy, a memset. */
export const KERNEL = 1
export const COPY = 2
export const MEMSET = 3
/** Also on a device's threads, but no work: what a stream waits for, ranges drawn again there. */
export const DEVICE_SYNC = 4
export const DEVICE_RANGE = 5
/** Calls of the runtime and the driver. */
export const CALL = 6
/** Operators, Python functions. */
export const OPERATOR = 7
export const USER_RANGE = 8
/** In tables: work on a device, which its name tells apart. */
export const NAMED_WORK = 9
export type EventClass = number

export type CallUse =
  | 'wait-device'
  | 'wait-stream'
  | 'wait-event'
  /** A copy that returns when the bytes are there. */
  | 'blocking-copy'
  | 'launch'
  | 'allocation'
  | 'free'
  | 'record-event'
  | 'capture-begin'
  | 'capture-end'
  | 'other'

export interface CallRow {
  readonly name: RegExp
  readonly use: CallUse
  /** The device has work of its own to show after the call: one record, or those of a graph. */
  readonly brings?: 'one' | 'many'
}

/** What the arguments of a copy say of it. */
export interface CopyArguments {
  readonly kind: string
  readonly from: string
  readonly to: string
  readonly details: string
}

export interface Vendor {
  readonly name: string
  /** By category, in lower case. */
  readonly categories: Readonly<Record<string, EventClass>>
  /** Categories of arrows from calls to their work. */
  readonly arrows?: readonly string[]
  /** How its calls begin. */
  readonly call: RegExp
  /** The first row that fits says what a call does; a call that fits none does something else. */
  readonly calls: readonly CallRow[]
  /**
   * Where a process's name says that it is a device: that name, and those of its threads with work.
   */
  readonly devices?: readonly { readonly process: RegExp; readonly work: RegExp }[]
  /** Where a process's name says that it is the program. */
  readonly host?: RegExp
  /**
   * What work on a device is by its name, where its category does not say; a kernel if no row fits.
   */
  readonly work?: readonly (readonly [RegExp, EventClass])[]
  /**
   * A copy as CUDA names it, 'Memcpy HtoD (Pageable -> Device)'; null: the name says it already.
   */
  readonly copyName?: (name: string, said: CopyArguments) => string | null
}

const MEMORY: Readonly<Record<string, string>> = {
  pageable: 'Pageable',
  pinned: 'Pinned',
  device: 'Device',
  managed: 'Managed',
  array: 'Array',
}

/** 'HtoD', 'pageable', 'device' as 'Memcpy HtoD (Pageable -> Device)'. */
export function copyAs(kind: string, from: string, to: string): string | null {
  if (!/^[HDPA]to[HDPA]$/.test(kind)) return null
  const named = (memory: string, side: string | undefined) =>
    MEMORY[memory.toLowerCase()] ?? (side === 'H' ? 'Host' : 'Device')
  return `Memcpy ${kind} (${named(from, kind[0])} -> ${named(to, kind[3])})`
}
