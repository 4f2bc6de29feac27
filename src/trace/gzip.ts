/** gzip by the platform's own streams: browsers and Node alike. */
import { LIMITS, OverBudget } from './budget'

export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

type Parts = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/** What a stream makes of parts, as it comes. */
async function* through(
  parts: Parts,
  stream: CompressionStream | DecompressionStream,
): AsyncGenerator<Uint8Array, void> {
  const writer = stream.writable.getWriter()
  const write = async () => {
    try {
      // A copy, because the buffer may be shared, which streams refuse. Awaited: parts are made as
      // fast as they are taken.
      for await (const part of parts) await writer.write(new Uint8Array(part))
      await writer.close()
    } catch (thrown) {
      await writer.abort(thrown) // so that the reader below hears of it
    }
  }
  write().catch(() => undefined) // an abort of a stream that failed by itself: the reader has that error
  const reader: ReadableStreamDefaultReader<Uint8Array> = stream.readable.getReader()
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value
  } finally {
    reader.cancel().catch(() => undefined) // of one that has failed: whoever reads has that error
  }
}

async function pump(
  parts: Parts,
  stream: CompressionStream | DecompressionStream,
  mostBytes = Infinity,
  expectedBytes = 0,
): Promise<Uint8Array<ArrayBuffer>> {
  // One array, written as it comes: parts that are put together at the end would be all of it
  // twice.
  let whole = new Uint8Array(expectedBytes)
  let size = 0
  for await (const part of through(parts, stream)) {
    const end = size + part.length
    if (end > mostBytes) throw new OverBudget('bytes', null, mostBytes)
    if (end > whole.length) {
      const grown = new Uint8Array(Math.max(end, 2 * whole.length, FIRST_BYTES))
      grown.set(whole.subarray(0, size))
      whole = grown
    }
    whole.set(part, size)
    size = end
  }
  return size === whole.length ? whole : whole.slice(0, size)
}

const FIRST_BYTES = 2 ** 16
/** Deflate makes at most 258 bytes of two bits. */
const LARGEST_RATIO = 1032
/** Header and end of the shortest gzip. */
const LEAST_GZIP_BYTES = 18

/**
 * What a gzip says of its size (RFC 1952: the last four bytes, modulo 2^32); 0 where it cannot be.
 * A guess to be checked, no more.
 */
export function claimedBytes(lastFour: Uint8Array, size: number): number {
  if (size < LEAST_GZIP_BYTES || lastFour.length < 4) return 0
  const claimed = new DataView(lastFour.buffer, lastFour.byteOffset).getUint32(0, true)
  return claimed <= size * LARGEST_RATIO ? claimed : 0
}

/** A file that is written piece by piece. */
export const gzipParts = (parts: Iterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> =>
  pump(parts, new CompressionStream('gzip'))
export const gzipBytes = (bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> => gzipParts([bytes])

/** Text that is written piece by piece, as bytes. */
export function* encodeParts(parts: Iterable<string>): Generator<Uint8Array<ArrayBuffer>, void> {
  const encoder = new TextEncoder()
  for (const part of parts) yield encoder.encode(part)
}

/** In small parts: what an error finds in a stream's queue is lost. */
const PART_BYTES = 2 ** 16
async function* smallParts(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  for await (const part of parts)
    for (let at = 0; at < part.length; at += PART_BYTES) yield part.subarray(at, at + PART_BYTES)
}

/** Throws where it is cut or damaged, after what was sound. */
export const inflate = (parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> =>
  through(smallParts(parts), new DecompressionStream('gzip'))

/**
 * Rejects on bytes that are no gzip or are cut short; with OverBudget on those that inflate to more
 * than `mostBytes`.
 */
export async function gunzipBytes(
  bytes: Uint8Array,
  mostBytes: number = LIMITS.bytes.most,
): Promise<Uint8Array<ArrayBuffer>> {
  const claimed = claimedBytes(bytes.subarray(-4), bytes.length)
  if (claimed > mostBytes) throw new OverBudget('bytes', claimed, mostBytes)
  return await pump([bytes], new DecompressionStream('gzip'), mostBytes, claimed)
}
