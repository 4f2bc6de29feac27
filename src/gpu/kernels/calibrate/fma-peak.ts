/**
 * The roof of a roofline: fused multiply-adds in registers, as many as the device can issue. Every
 * thread's result is known exactly, since the chains count: small integers, which f32 adds without
 * rounding.
 */
import text from '../../../../shaders/calibrate/fma-peak.wgsl?raw'
import { kernelOf, packUniforms } from '../kernel'

export interface FmaPeakShape {
  readonly workgroups: number
  readonly iterations: number
}

export const FMA_PEAK_INVOCATIONS = 256
/**
 * Independent counters of a thread: eight vectors of four, so that no FMA waits for the one before.
 */
const COUNTERS = 8 * 4
/** Steps of each chain in one iteration of the loop: as often as the WGSL calls advance(). */
const FMA_PEAK_STEPS = 8
/**
 * The largest sum, of all counters after so many steps, stays below 2^24: exact in f32.
 * @internal
 */
export const FMA_PEAK_MAX_ITERATIONS = 2 ** 15

/** The output needs 4 bytes a thread. */
export const fmaPeakKernel = kernelOf<FmaPeakShape>('calibrate/fma-peak', text, {
  uniforms: ({ iterations }) => packUniforms(['u32', iterations], ['f32', 1], ['f32', 1]),
  workgroups: ({ workgroups }) => [workgroups, 1, 1],
})

export const fmaPeakFlops = ({ workgroups, iterations }: FmaPeakShape): number =>
  2 * COUNTERS * FMA_PEAK_STEPS * iterations * FMA_PEAK_INVOCATIONS * workgroups

/**
 * The value that thread `thread` of the whole grid writes: the sum of its counters, which began at
 * local + 0, 1, 2, …
 */
export const fmaPeakValue = (thread: number, iterations: number): number =>
  COUNTERS * ((thread % FMA_PEAK_INVOCATIONS) + FMA_PEAK_STEPS * iterations + (COUNTERS - 1) / 2)

/**
 * Enough for some rounds of all threads on a large GPU, so that a last round that is not full
 * weighs little.
 */
export const MAX_WORKGROUPS = 16384
const MIN_ITERATIONS = 32

/**
 * Sizes a dispatch to take about `targetMs` at `flopsPerMs`: first more workgroups, up to the
 * limit, then more iterations. Pure.
 */
export function planFmaPeak(flopsPerMs: number, targetMs: number): FmaPeakShape {
  const units = Math.max(1, (flopsPerMs * targetMs) / fmaPeakFlops({ workgroups: 1, iterations: 1 }))
  const workgroups = Math.min(MAX_WORKGROUPS, Math.max(1, Math.round(units / MIN_ITERATIONS)))
  const iterations = Math.max(1, Math.round(units / workgroups))
  return { workgroups, iterations: Math.min(FMA_PEAK_MAX_ITERATIONS, iterations) }
}
