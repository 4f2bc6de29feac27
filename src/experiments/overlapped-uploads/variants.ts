/** Names of the variants: what is left out, and how deep the ring is. */

export const COMPUTE_ONLY = 'compute-only'
export const UPLOAD_ONLY = 'upload-only'
export const ALONE = [COMPUTE_ONLY, UPLOAD_ONLY] as const
export const SERIAL = 'serial'
export const ringVariant = (depth: number | string): string => `ring-${String(depth)}`
/** 0 where the variant is no ring. */
export const ringDepth = (variant: string): number => Number(/^ring-(\d+)$/.exec(variant)?.[1] ?? 0)
/** 'a ring of 8' */
export const variantInWords = (variant: string): string | null =>
  ringDepth(variant) > 0 ? `a ring of ${String(ringDepth(variant))}` : null

export const isUploading = (variant: string): boolean => variant !== COMPUTE_ONLY
/** Batches are uploaded and computed on. */
export const isTogether = (variant: string): boolean => isUploading(variant) && variant !== UPLOAD_ONLY

/**
 * Staging buffers of 'upload-only': as many as the deepest ring has, or it would be no bound for that ring; and two at least, so that
 * one is written while the other travels.
 */
export const uploadDepth = (variants: readonly string[]): number => Math.max(2, ...variants.map(ringDepth))
