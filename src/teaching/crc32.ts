/** CRC-32 of ISO-HDLC, as gzip and PNG have it. It finds every error that touches no more than 32 bits in a row. */
const POLYNOMIAL = 0xedb88320

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1
  return value
})

/** 0 to 2^32 - 1. */
export function crc32(bytes: Uint8Array): number {
  let value = 0xffffffff
  for (const byte of bytes) value = (TABLE[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8)
  return (value ^ 0xffffffff) >>> 0
}
