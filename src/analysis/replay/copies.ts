/** Copies by their names, as CUDA's and HIP's records have them. */
export const COPY = /^Memcpy/
export const FROM_HOST = /^Memcpy HtoD\b/
export const TO_HOST = /^Memcpy DtoH\b/
/** From or to the host, through memory that is not pinned. */
export const PAGEABLE = /^Memcpy (?:HtoD|DtoH) \([^)]*Pageable/i
export const PINNED = /^Memcpy (?:HtoD|DtoH) \((?:Pinned|Device -> Pinned)/
/**
 * Up to this size the driver copies pageable memory into its own and returns: such a copy costs its
 * call, whatever the memory.
 */
export const SMALL_BYTES = 64 * 1024
