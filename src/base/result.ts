/**
 * The outcome of something that may rightly not happen: a missing feature is skipped with its
 * reason, a fault is a value.
 */
import type { Fault } from './fault'

export type Result<T, E = Fault> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E }

export const succeed = <T>(value: T): Result<T, never> => ({ ok: true, value })
export const fail = <E>(error: E): Result<never, E> => ({ ok: false, error })
