/** Names of the variants. */

/** The device makes the numbers. */
export const ON_DEVICE = 'on-device'
/** The host makes them, or has them, and sends them. */
export const UPLOAD = 'upload'
/** As on-device, and the host asks each tensor for its shape. */
export const SHAPE = 'shape'
/** As on-device, and the host asks each tensor for its first value. */
export const DATA = 'data'
