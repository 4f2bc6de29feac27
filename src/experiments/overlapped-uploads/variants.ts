/** Names of the variants: what is left out, and how deep the ring is. */

export const COMPUTE_ONLY = 'compute-only'
export const UPLOAD_ONLY = 'upload-only'
export const SERIAL = 'serial'
export const ringVariant = (depth: number | string): string => `ring-${String(depth)}`

/** Uploads alone use two staging buffers: one fills while the other travels, the most that uploading alone can gain. */
export const UPLOAD_ONLY_DEPTH = 2

/** Staging buffers in use; 0 where nothing is uploaded. */
export function ringDepth(variant: string): number {
  if (variant === COMPUTE_ONLY) return 0
  if (variant === UPLOAD_ONLY) return UPLOAD_ONLY_DEPTH
  if (variant === SERIAL) return 1
  return Number(variant.replace('ring-', ''))
}
