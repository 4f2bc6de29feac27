/**
 * Work sized from a measured rate, never from a constant: the same lesson must run on SwiftShader
 * with 2 cores (5 GFLOP/s) and on an H200 (34 TFLOP/s). Pure arithmetic;
 * `gpu/kernels/calibrate/timing.ts` measures.
 */
import { MAX_DISPATCH_MS } from '../gpu/kernels/calibrate/timing'

export { MAX_DISPATCH_MS }
/** Dawn applies no back-pressure (crbug 42240396): the lab bounds what it queues. */
export const MAX_QUEUED_MS = 500

/**
 * Largest kernel time for which `steps` of them, all queued at once, stay within MAX_QUEUED_MS;
 * 0.9: the rate may be off by 10 %.
 */
export const boundedKernelMs = (targetMs: number, steps: number): number =>
  Math.min(targetMs, MAX_DISPATCH_MS, (0.9 * MAX_QUEUED_MS) / steps)

/**
 * Matrix sizes step as coarsely as tiles do: 8 below 128 (the thread's block), up to 128 (a
 * workgroup's block) above 2048.
 */
export function roundSize(n: number): number {
  const grain = n < 128 ? 8 : n < 512 ? 16 : n < 2048 ? 64 : 128
  return Math.max(8, Math.round(n / grain) * grain)
}

/**
 * On a software adapter the vectorised kernel has this tile from 128 on. Matrices with edges are
 * another pipeline, which takes 0.4 s to compile.
 */
export const roundSizeInSoftware = (n: number): number => (n < 112 ? roundSize(n) : Math.round(n / 32) * 32)

/**
 * The next size to try, when n³ took `tookMs` and should take `targetMs`: by the cube root, as work
 * grows with n³. At most 4 times as large (64 times the work) in one go: small matrices do not fill
 * a large device, so their rate foretells little.
 */
export function nextSize(
  n: number,
  tookMs: number,
  targetMs: number,
  maxSize: number,
  round: (n: number) => number = roundSize,
): number {
  const factor = Math.min(4, Math.cbrt(targetMs / Math.max(tookMs, 1e-4)))
  return Math.min(maxSize, round(n * factor))
}

/**
 * A power of two or one and a half of it, not above n: whole tiles for every kernel where the
 * matrix is large, so that edges are not what differs; and few sizes in all, since some adapters
 * take a second to compile six kernels for another kind of size.
 */
export function wholeTiles(n: number): number {
  const power = 2 ** Math.floor(Math.log2(n))
  return n >= 1.5 * power ? 1.5 * power : power
}

/**
 * Largest n for which three n × n f32 matrices fit the limits, and no more than 8192 (256 MiB
 * each).
 */
export function largestSize(limits: Readonly<Record<string, number>>): number {
  const binding = Math.min(
    limits['maxStorageBufferBindingSize'] ?? 2 ** 27,
    limits['maxBufferSize'] ?? 2 ** 28,
  )
  const n = Math.floor(Math.sqrt(binding / 4) / 128) * 128
  return Math.min(8192, Math.max(8, n))
}

export type RunSize = Readonly<Record<'steps' | 'repeats', number>>

/** A median over less says little; repeats fall to two only when nothing else is left. */
const LEAST: RunSize = { steps: 8, repeats: 3 }

/**
 * Steps and repeats that fit the time at hand: those asked for where they do, else fewer repeats,
 * then fewer steps. A browser that looks for completion every 100 ms takes a hundred times as long
 * for a step that waits as one that looks every millisecond.
 *
 * @param roundMs how long all variants together take, once each, with so many steps (`roundOf`)
 * @param leastSteps for variants so many that a round with fewer steps is worth more than none
 */
export function fitRun(
  asked: RunSize & { readonly seconds: number },
  roundMs: (steps: number) => number,
  leastSteps = LEAST.steps,
): RunSize {
  let { steps, repeats } = asked
  const least = { steps: Math.min(leastSteps, steps), repeats: Math.min(LEAST.repeats, repeats) }
  // One round more: the warm-up.
  while ((repeats + 1) * roundMs(steps) > asked.seconds * 1e3) {
    if (repeats > least.repeats) repeats -= 1
    else if (steps > least.steps) steps = Math.max(least.steps, Math.floor(steps * 0.75))
    else if (repeats > 2) repeats -= 1
    else break
  }
  return { steps, repeats }
}

/** `windowMs`: how long a window of a variant takes, with so many steps. */
export const roundOf =
  <Variant>(variants: readonly Variant[], windowMs: (variant: Variant, steps: number) => number) =>
  (steps: number): number =>
    variants.reduce((sum, variant) => sum + windowMs(variant, steps), 0)
