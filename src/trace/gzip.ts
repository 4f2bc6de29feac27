/** gzip by the platform's own streams: browsers and Node alike. */

export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

/** More than this is refused: a few bytes can inflate to any size. A run of 10^6 spans is some 60 MB. */
const MAX_INFLATED_BYTES = 2 ** 30

async function pump(
  bytes: Uint8Array,
  through: CompressionStream | DecompressionStream,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const writer = through.writable.getWriter()
  // A copy when the buffer may be shared, which streams refuse; errors of the write surface in the read.
  const written = writer.write(new Uint8Array(bytes)).then(() => writer.close())
  written.catch(() => undefined)
  const parts: Uint8Array[] = []
  let size = 0
  const reader: ReadableStreamDefaultReader<Uint8Array> = through.readable.getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value)
    size += part.value.length
    if (size > maxBytes) {
      await reader.cancel()
      throw new RangeError(`inflates to more than ${String(maxBytes)} bytes`)
    }
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

export const gzipBytes = (bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> =>
  pump(bytes, new CompressionStream('gzip'), Infinity)

/** Rejects on bytes that are no gzip, are cut short, or inflate to more than `maxBytes`. */
export const gunzipBytes = (
  bytes: Uint8Array,
  maxBytes = MAX_INFLATED_BYTES,
): Promise<Uint8Array<ArrayBuffer>> => pump(bytes, new DecompressionStream('gzip'), maxBytes)
