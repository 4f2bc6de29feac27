/**
 * Units as branded numbers. A value's unit is part of its type, so that nanoseconds never meet milliseconds by accident.
 * The functions here are the only casts; arithmetic yields a plain number, which the caller brands again on purpose.
 */
declare const unit: unique symbol
export type Brand<Unit extends string> = number & { readonly [unit]: Unit }

/** Nanoseconds on the host's clock (`performance.now()` of the worker), counted from the trace's origin. */
export type Nanoseconds = Brand<'ns'>
/** Milliseconds, for numbers that a person reads. */
export type Milliseconds = Brand<'ms'>
export type Bytes = Brand<'bytes'>

export const ns = (value: number): Nanoseconds => value as Nanoseconds
export const ms = (value: number): Milliseconds => value as Milliseconds
export const bytes = (value: number): Bytes => value as Bytes

export const NS_PER_MS = 1e6
export const MIB = 1024 * 1024
