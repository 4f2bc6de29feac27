/** Names of the variants: a rung by itself, a rung with its transfers, transfers alone, and the two micro-kernels of the roofline. */
import type { Metric } from '../../trace/report'

export const FMA_PEAK = 'fma-peak'
export const STREAM_COPY = 'stream-copy'
export const TRANSFERS_ONLY = 'transfers-only'
const WITH_TRANSFERS = '+transfers'

/** The variant in which every step of a rung uploads A and B and reads C back. */
export const moved = (rung: string): string => `${rung}${WITH_TRANSFERS}`
export const isMoved = (variant: string): boolean => variant.endsWith(WITH_TRANSFERS)
export const rungOf = (variant: string): string => variant.replace(WITH_TRANSFERS, '')

/** '' stands for the whole run. */
const OTHERS: ReadonlySet<string> = new Set(['', FMA_PEAK, STREAM_COPY, TRANSFERS_ONLY])
/** A matmul kernel on matrices that stay on the device. */
export const isRung = (variant: string): boolean => !isMoved(variant) && !OTHERS.has(variant)

/** Rungs that were run, in the ladder's order. */
export const rungsIn = (metrics: readonly Metric[]): readonly string[] =>
  metrics.flatMap(({ name, variant }) => (name === 'kernel-ms' && isRung(variant) ? [variant] : []))

/** The rung with the shortest matmul, of those that were timed. */
export const fastestOf = (
  rungs: readonly string[],
  msOf: (rung: string) => number | null | undefined,
): string | undefined =>
  rungs.toSorted((a, b) => (msOf(a) ?? Infinity) - (msOf(b) ?? Infinity)).find((rung) => msOf(rung) != null)
