/** gzip by the platform's own streams: browsers and Node alike. */

export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

/** More than this is refused: a few bytes can inflate to any size. A run of 10^6 spans is some 60 MB. */
const MAX_INFLATED_BYTES = 2 ** 30

async function pump(
  parts: Iterable<Uint8Array>,
  through: CompressionStream | DecompressionStream,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const writer = through.writable.getWriter()
  const write = async () => {
    try {
      // A copy, because the buffer may be shared, which streams refuse. Awaited: parts are made as fast as they are taken.
      for (const part of parts) await writer.write(new Uint8Array(part))
      await writer.close()
    } catch (thrown) {
      await writer.abort(thrown) // so that the reader below hears of it
    }
  }
  write().catch(() => undefined) // an abort of a stream that failed by itself: the reader has that error
  const read: Uint8Array[] = []
  let size = 0
  const reader: ReadableStreamDefaultReader<Uint8Array> = through.readable.getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    read.push(part.value)
    size += part.value.length
    if (size > maxBytes) {
      await reader.cancel()
      throw new RangeError(`inflates to more than ${String(maxBytes)} bytes`)
    }
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const part of read) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

export const gzipBytes = (bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> =>
  pump([bytes], new CompressionStream('gzip'), Infinity)

/** A file that is written piece by piece. */
export const gzipParts = (parts: Iterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> =>
  pump(parts, new CompressionStream('gzip'), Infinity)

/** Text that is written piece by piece, as bytes. */
export function* encodeParts(parts: Iterable<string>): Generator<Uint8Array<ArrayBuffer>, void> {
  const encoder = new TextEncoder()
  for (const part of parts) yield encoder.encode(part)
}

/** Rejects on bytes that are no gzip, are cut short, or inflate to more than `maxBytes`. */
export const gunzipBytes = (
  bytes: Uint8Array,
  maxBytes = MAX_INFLATED_BYTES,
): Promise<Uint8Array<ArrayBuffer>> => pump([bytes], new DecompressionStream('gzip'), maxBytes)

/** The same without gzip's header and checksum: for texts where each byte counts. */
export const deflateBytes = (bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> =>
  pump([bytes], new CompressionStream('deflate-raw'), Infinity)
export const inflateBytes = (bytes: Uint8Array, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> =>
  pump([bytes], new DecompressionStream('deflate-raw'), maxBytes)
