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
/** Raw device timestamp minus the trace's first one. WebGPU defines the unit as nanoseconds, but not the origin or the rate. */
export type GpuTicks = Brand<'ticks'>
export type Bytes = Brand<'bytes'>
/** CSS pixels: layout. */
export type CssPx = Brand<'css-px'>
/** Device pixels: canvas backing store. */
export type DevicePx = Brand<'device-px'>

export const ns = (value: number): Nanoseconds => value as Nanoseconds
export const ms = (value: number): Milliseconds => value as Milliseconds
export const gpuTicks = (value: number): GpuTicks => value as GpuTicks
export const bytes = (value: number): Bytes => value as Bytes
export const cssPx = (value: number): CssPx => value as CssPx
export const devicePx = (value: number): DevicePx => value as DevicePx

export const NS_PER_MS = 1e6
export const NS_PER_US = 1e3
export const KIB = 1024
export const MIB = 1024 * 1024

export const msToNs = (value: Milliseconds): Nanoseconds => ns(value * NS_PER_MS)
export const nsToMs = (value: Nanoseconds): Milliseconds => ms(value / NS_PER_MS)
