/** How much work in registers takes a given time. Pure. */
import { FMA_PEAK_MAX_ITERATIONS, fmaPeakFlops, type FmaPeakShape } from './fma-peak'

/**
 * Enough for some rounds of all threads on a large GPU, so that a last round that is not full
 * weighs little.
 */
export const MAX_WORKGROUPS = 16384
const MIN_ITERATIONS = 32
/** Independent chains of FMAs in a thread that are tried: of one, each waits for the one before. */
export const CHAIN_COUNTS = [1, 2, 4, 8] as const

/**
 * Sizes `chains` to take about `targetMs` at `flopsPerMs`: first more workgroups, up to the limit,
 * then more iterations. Pure.
 */
export function planFmaPeak(flopsPerMs: number, targetMs: number, chains: number): FmaPeakShape {
  const one = { workgroups: 1, iterations: 1, chains }
  const units = Math.max(1, (flopsPerMs * targetMs) / fmaPeakFlops(one))
  const workgroups = Math.min(MAX_WORKGROUPS, Math.max(1, Math.round(units / MIN_ITERATIONS)))
  const iterations = Math.max(1, Math.round(units / workgroups))
  return { workgroups, iterations: Math.min(FMA_PEAK_MAX_ITERATIONS, iterations), chains }
}
