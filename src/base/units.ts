export const NS_PER_MS = 1e6
/** Bytes. */
export const MIB = 1024 * 1024
export const GIB = 1024 * MIB
