/** Names of the variants: what is left out, how deep the ring is, and where batches are made. */

export const COMPUTE_ONLY = 'compute-only'
export const UPLOAD_ONLY = 'upload-only'
export const ALONE = [COMPUTE_ONLY, UPLOAD_ONLY] as const
export const SERIAL = 'serial'
export const ringVariant = (depth: number | string): string => `ring-${String(depth)}`
/** 0 where the variant is no ring. */
export const ringDepth = (variant: string): number => Number(/^ring-(\d+)$/.exec(variant)?.[1] ?? 0)

/** Batches made in the loop; or by a worker, so many ahead. Both through a ring of LOADER_RING. */
export const INLINE = 'inline'
export const workerVariant = (ahead: number | string): string => `worker-${String(ahead)}`
/** 0 where no worker makes the batches. */
export const madeAhead = (variant: string): number => Number(/^worker-(\d+)$/.exec(variant)?.[1] ?? 0)
/** 'a ring of 8', 'batches by a worker, 8 ahead' */
export function variantInWords(variant: string): string | null {
  const [depth, ahead] = [ringDepth(variant), madeAhead(variant)]
  if (depth > 0) return `a ring of ${String(depth)}`
  return ahead > 0 ? `batches by a worker, ${String(ahead)} ahead` : null
}
export const isMaking = (variant: string): boolean => variant === INLINE || madeAhead(variant) > 0
export const LOADER_RING = 2

export const isUploading = (variant: string): boolean => variant !== COMPUTE_ONLY
/** Batches that are at hand are uploaded and computed on. */
export const isTogether = (variant: string): boolean =>
  isUploading(variant) && variant !== UPLOAD_ONLY && !isMaking(variant)

/**
 * Staging buffers of 'upload-only': as many as the deepest ring has, or it would be no bound for that ring; and two at least, so that
 * one is written while the other travels.
 */
export const uploadDepth = (variants: readonly string[]): number => Math.max(2, ...variants.map(ringDepth))
