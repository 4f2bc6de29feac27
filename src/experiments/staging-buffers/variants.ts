/** Names of the variants. */
export const WRITE = 'write-buffer'
/** A new staging buffer for each batch. */
export const NEW = 'mapped-at-creation'
/** One staging buffer, used again. */
export const REUSED = 'reused'
export const ringVariant = (depth: string | number): string => `ring-${String(depth)}`
/** Staging buffers that a variant is given, mapped; those of the others are new, or the browser's own. */
export const depthOf = (variant: string): number =>
  variant === REUSED ? 1 : Number(/^ring-(\d+)$/.exec(variant)?.[1] ?? 0)
/** Of every run; `rings` adds deeper ones. */
export const MAIN = [WRITE, NEW, REUSED, ringVariant(2)] as const
