/** gzip by the platform's own streams: browsers and Node alike. */
import { LIMITS, OverBudget, type Limit } from './budget'

export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

/** A few bytes can inflate to any size. */
interface Bound {
  readonly limit: Limit
  readonly most: number
}

async function pump(
  parts: Iterable<Uint8Array>,
  through: CompressionStream | DecompressionStream,
  bound: Bound | null,
  expectedBytes = 0,
  /** Given what went wrong after the bytes that are returned; else that is thrown. */
  onCut: ((thrown: unknown) => void) | null = null,
): Promise<Uint8Array<ArrayBuffer>> {
  const writer = through.writable.getWriter()
  const write = async () => {
    try {
      // A copy, because the buffer may be shared, which streams refuse. Awaited: parts are made as
      // fast as they are taken.
      for (const part of parts) await writer.write(new Uint8Array(part))
      await writer.close()
    } catch (thrown) {
      await writer.abort(thrown) // so that the reader below hears of it
    }
  }
  write().catch(() => undefined) // an abort of a stream that failed by itself: the reader has that error
  // One array, written as it comes: parts that are put together at the end would be all of it
  // twice.
  let whole = new Uint8Array(expectedBytes)
  let size = 0
  const reader: ReadableStreamDefaultReader<Uint8Array> = through.readable.getReader()
  const next = async () => {
    try {
      return await reader.read()
    } catch (thrown) {
      if (!onCut || size === 0) throw thrown
      onCut(thrown)
      return { done: true } as const
    }
  }
  for (let part = await next(); !part.done; part = await next()) {
    const end = size + part.value.length
    if (bound && end > bound.most) {
      await reader.cancel()
      throw new OverBudget(bound.limit, null, bound.most)
    }
    if (end > whole.length) {
      const grown = new Uint8Array(Math.max(end, 2 * whole.length, FIRST_BYTES))
      grown.set(whole.subarray(0, size))
      whole = grown
    }
    whole.set(part.value, size)
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
function claimedBytes(bytes: Uint8Array): number {
  if (bytes.length < LEAST_GZIP_BYTES) return 0
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const claimed = view.getUint32(bytes.length - 4, true)
  return claimed <= bytes.length * LARGEST_RATIO ? claimed : 0
}

export const gzipBytes = (bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> =>
  pump([bytes], new CompressionStream('gzip'), null)

/** A file that is written piece by piece. */
export const gzipParts = (parts: Iterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> =>
  pump(parts, new CompressionStream('gzip'), null)

/** Text that is written piece by piece, as bytes. */
export function* encodeParts(parts: Iterable<string>): Generator<Uint8Array<ArrayBuffer>, void> {
  const encoder = new TextEncoder()
  for (const part of parts) yield encoder.encode(part)
}

/** In parts: what an error finds in a stream's queue is lost. */
const PART_BYTES = 2 ** 16
function* partsOf(bytes: Uint8Array): Generator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += PART_BYTES) yield bytes.subarray(at, at + PART_BYTES)
}

/**
 * As far as a cut or damaged gzip goes: `problem` says what ended it. Rejects as `gunzipBytes`
 * where nothing came out.
 */
export async function gunzipSound(
  bytes: Uint8Array,
  mostBytes: number,
): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly problem: string | null }> {
  let problem: string | null = null
  // The last bytes of a cut file claim anything.
  const claimed = Math.min(claimedBytes(bytes), mostBytes)
  const bound = { limit: 'bytes', most: mostBytes } as const
  const stream = new DecompressionStream('gzip')
  const read = await pump(partsOf(bytes), stream, bound, claimed, (thrown) => {
    problem = thrown instanceof Error ? thrown.message : String(thrown)
  })
  return { bytes: read, problem }
}

/**
 * Rejects on bytes that are no gzip or are cut short; with OverBudget on those that inflate to more
 * than `mostBytes`.
 */
export async function gunzipBytes(
  bytes: Uint8Array,
  mostBytes: number = LIMITS.bytes.most,
): Promise<Uint8Array<ArrayBuffer>> {
  const claimed = claimedBytes(bytes)
  if (claimed > mostBytes) throw new OverBudget('bytes', claimed, mostBytes)
  return await pump([bytes], new DecompressionStream('gzip'), { limit: 'bytes', most: mostBytes }, claimed)
}
