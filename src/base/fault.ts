/**
 * Faults as plain records: structured clone keeps them whole between threads, where it would drop
 * Error subclasses. A fault has a code, one sentence about the event and one about the remedy. Bugs
 * throw, and a cancelled run is no fault. Something that may rightly not happen has a Result: a
 * missing feature is skipped with its reason.
 */
export type FaultCode =
  | 'no-webgpu' // navigator.gpu is missing
  | 'no-adapter' // requestAdapter() gave null
  | 'device-lost' // GPUDevice.lost resolved, reason 'unknown' or 'destroyed'
  | 'validation' // GPUValidationError
  | 'out-of-memory' // GPUOutOfMemoryError, or RangeError of mappedAtCreation
  | 'internal' // GPUInternalError (a driver or a compiler gave up)
  | 'shader' // WGSL did not compile
  | 'limit' // asked for more than this adapter offers
  | 'timeout' // something that should have ended did not
  | 'hidden' // the tab was hidden while it measured
  | 'verification' // a result is wrong: no figure of this run may be shown
  | 'parameter' // a parameter is unknown or out of range
  | 'worker' // the worker died or could not start
  | 'file' // a saved run could not be loaded or read
  | 'storage' // the browser did not keep a run, or no longer has it

export interface Fault {
  readonly code: FaultCode
  /** One sentence about the event. */
  readonly message: string
  /** One sentence about the remedy. */
  readonly hint?: string
  /**
   * Evidence: file and line of a shader error, the limit and the value asked for, GPUDevice.lost's
   * reason.
   */
  readonly data?: Readonly<Record<string, string | number | boolean>>
}

/**
 * Carries a Fault through code that throws; turned back into the record where it leaves the worker.
 */
export class FaultError extends Error {
  readonly fault: Fault
  constructor(fault: Fault, options?: ErrorOptions) {
    super(fault.message, options)
    this.name = 'FaultError'
    this.fault = fault
  }
}

/** Thrown where a run notices that it was cancelled. Not a fault. */
export class CancelledError extends Error {
  constructor() {
    super('cancelled')
    this.name = 'CancelledError'
  }
}

/** Any thrown value as a Fault. What is not a FaultError is a bug of ours and says so. */
export function toFault(thrown: unknown): Fault {
  if (thrown instanceof FaultError) return thrown.fault
  const message = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown)
  return {
    code: 'internal',
    message,
    hint: 'This looks like a bug in the lab. Please report it with your report.json.',
  }
}

export type Result<T, E = Fault> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E }

export const succeed = <T>(value: T): Result<T, never> => ({ ok: true, value })
export const fail = <E>(error: E): Result<never, E> => ({ ok: false, error })

/**
 * For what only a bug can break: throws, in every build. What may rightly happen is a Result or a
 * Fault instead.
 */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`)
}
