/**
 * What a program writes: the bytes of a call, and small writeBuffer() calls that follow each other
 * as one span. A page that writes 56 bytes for each of 300 objects a frame would fill its recording
 * with them. Counters still have their number and bytes in each frame (counts.ts).
 *
 * A reading of the clock costs as much as half of such a call. It is read around each of the
 * first calls, then around each 16th. So the span may end before the last 15, and no span is
 * longer than its calls.
 */
import { NO_TAG, type Tag } from './records'
import { standIns } from '../base/buffer-registry'

/**
 * Several writes up to this size could have been one: WebGPU’s least offset of a uniform buffer
 * is 256 bytes.
 */
const SMALL_BYTES = 256
export const isSmall = (bytes: number): boolean => bytes <= SMALL_BYTES
/** The name of their count, and of their places in a page’s scripts. */
export const SMALL_WRITES = 'writeBuffer calls up to 256 bytes'
/**
 * The longest pause between two writes of one span. A page’s own work for an object takes some 10
 * µs, and the clock of a page that is not isolated has steps of 0.1 ms: two of these.
 */
const LONGEST_PAUSE_NS = 200e3
/** Of a span: around so many the clock is read each time, then around each `EACH`th. */
const FIRST = 8
const EACH = 16

interface Ends {
  readonly now: () => number
  readonly nameOf: (buffer: GPUBuffer) => string
  readonly emit: (name: string, startNs: number, endNs: number, bytes: number, tag: Tag) => void
}

export class JoinedWrites {
  readonly #ends: Ends
  #count = 0
  #bytes = 0
  #startNs = 0
  /** At the last reading of the clock, and how many came after it. */
  #endNs = 0
  #unread = 0
  #name = ''
  #tag = NO_TAG
  /** Whether the clock is read around the present one. */
  #reads = false

  constructor(ends: Ends) {
    this.#ends = ends
  }

  /** A call is about to be made. */
  before(bytes: number, tag: Tag): void {
    if (!isSmall(bytes) || tag !== this.#tag) this.close()
    this.#reads = this.#count < FIRST || this.#unread === EACH - 1
    if (!this.#reads) return
    const now = this.#ends.now()
    if (now - this.#endNs > LONGEST_PAUSE_NS * (this.#unread + 1)) this.close()
    if (this.#count > 0) return
    this.#startNs = now
    this.#tag = tag
  }

  /** It has returned. */
  after(buffer: GPUBuffer, bytes: number): void {
    if (this.#count === 0) this.#name = this.#ends.nameOf(buffer)
    this.#count += 1
    this.#bytes += bytes
    if (this.#reads) {
      this.#endNs = this.#ends.now()
      this.#unread = 0
    } else this.#unread += 1
    if (!isSmall(bytes)) this.close()
  }

  /** Something else comes. */
  close(): void {
    const count = this.#count
    if (count === 0) return
    this.#count = 0
    this.#unread = 0
    const name = count === 1 ? this.#name : `${String(count)} writes`
    const bytes = this.#bytes
    this.#bytes = 0
    this.#ends.emit(name, this.#startNs, this.#endNs, bytes, this.#tag)
  }
}

/**
 * writeBuffer() counts in elements of a typed array, and in bytes of anything else. NaN where it is
 * no data.
 */
export function writtenBytes(data: object | undefined, start = 0, size?: number): number {
  const { byteLength = Number.NaN, BYTES_PER_ELEMENT = 1 } = (data ?? {}) as Partial<Uint8Array>
  const { length, elementBytes } = (data && standIns.get(data)) ?? {
    length: byteLength / BYTES_PER_ELEMENT,
    elementBytes: BYTES_PER_ELEMENT,
  }
  return (size ?? length - start) * elementBytes
}

/** Bytes of a texel; other formats that an image is copied to count 4. */
const TEXEL_BYTES: Readonly<Record<string, number>> = {
  r8unorm: 1,
  rg8unorm: 2,
  r16float: 2,
  rgba16float: 8,
  rg32float: 8,
  rgba32float: 16,
}

/** Bytes that copyExternalImageToTexture() brings into a texture. */
export function copiedBytes({ texture }: GPUTexelCopyTextureInfo, size: GPUExtent3D): number {
  const [width = 1, height = 1, layers = 1] =
    Symbol.iterator in size ? size : [size.width, size.height, size.depthOrArrayLayers]
  return width * height * layers * (TEXEL_BYTES[texture.format] ?? 4)
}
