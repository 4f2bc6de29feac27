/**
 * Names of the variants: a rung by itself, a rung with its transfers, transfers alone, and the two
 * micro-kernels of the roofline.
 */
import type { Metric } from '../../trace/report'
import { byId } from '../../base/lists'
import type { Variant } from '../declare/experiment'
import { KERNELS } from '../shared-params'

export const FMA_PEAK = 'fma-peak'
export const STREAM_COPY = 'stream-copy'
export const TRANSFERS_ONLY = 'transfers-only'

/** The variant in which every step of a rung uploads A and B and reads C back. */
export const moved = (rung: string): string => `${rung}+transfers`

const CLIMBED = KERNELS.flatMap(({ value: rung }) => [
  { id: rung, program: 'resident', rung, isMoved: false },
  { id: moved(rung), program: 'moving', rung, isMoved: true },
])
export const ALL: readonly Variant[] = [
  { id: FMA_PEAK, program: 'roofline' },
  { id: STREAM_COPY, program: 'roofline' },
  ...CLIMBED,
]
const found = byId(CLIMBED)
export const isMoved = (variant: string): boolean => found(variant)?.isMoved === true
export const rungOf = (variant: string): string => found(variant)?.rung ?? ''
/** A matmul kernel on matrices that stay on the device. */
export const isRung = (variant: string): boolean => found(variant)?.isMoved === false

/** Rungs that were run, in the ladder's order. */
export const rungsIn = (metrics: readonly Metric[]): readonly string[] =>
  metrics.flatMap(({ name, variant }) => (name === 'kernel-ms' && isRung(variant) ? [variant] : []))

/** The rung with the shortest matmul, of those that were timed. */
export const fastestOf = (
  rungs: readonly string[],
  msOf: (rung: string) => number | null | undefined,
): string | undefined =>
  rungs.toSorted((a, b) => (msOf(a) ?? Infinity) - (msOf(b) ?? Infinity)).find((rung) => msOf(rung) != null)
