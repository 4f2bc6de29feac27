/** Names of the variants: what is left out, and how deep the ring is. */
import { byId } from '../../base/lists'

export const COMPUTE_ONLY = 'compute-only'
export const UPLOAD_ONLY = 'upload-only'
export const ALONE = [COMPUTE_ONLY, UPLOAD_ONLY] as const
export const SERIAL = 'serial'
export const ringVariant = (depth: number | string): string => `ring-${String(depth)}`
export const RINGS = ['1', '2', '3', '4', '5', '6', '7', '8'] as const

export const ALL = RINGS.map(Number).map((depth) => ({
  id: ringVariant(depth),
  program: 'ring',
  words: `a ring of ${String(depth)}`,
  depth,
}))
const found = byId(ALL)
export const ringWords = (variant: string | null): string | null => found(variant ?? '')?.words ?? null
/** 0 where the variant is no ring. */
export const ringDepth = (variant: string): number => found(variant)?.depth ?? 0

export const isUploading = (variant: string): boolean => variant !== COMPUTE_ONLY
/** Batches are uploaded and computed on. */
export const isTogether = (variant: string): boolean => isUploading(variant) && variant !== UPLOAD_ONLY

/**
 * Staging buffers of 'upload-only': as many as the deepest ring has, or it would be no bound for
 * that ring; and two at least, so that one is written while the other travels.
 */
export const uploadDepth = (variants: readonly string[]): number => Math.max(2, ...variants.map(ringDepth))
