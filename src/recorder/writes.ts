/**
 * Small writeBuffer() calls that follow each other, as one span: a page that writes 56 bytes for each of 300 objects a frame would fill its
 * recording with them. How many there are in each frame, and their bytes, are samples of counters all the same (counts.ts).
 */
import { NO_TAG, type Tag } from './tag'

/** Of what several writes could have been one: WebGPU's least offset of a uniform buffer is 256 bytes. */
export const SMALL_BYTES = 256
/**
 * Between two of them. A page's own work for an object takes some 10 µs, and the clock of a page that is not isolated has steps of 0.1 ms:
 * two of these.
 */
const LONGEST_PAUSE_NS = 200e3

type Emit = (name: string, startNs: number, endNs: number, bytes: number, tag: Tag) => void

export class JoinedWrites {
  readonly #emit: Emit
  #count = 0
  #bytes = 0
  #startNs = 0
  #endNs = 0
  #name = ''
  #tag = NO_TAG

  constructor(emit: Emit) {
    this.#emit = emit
  }

  add(name: string, startNs: number, endNs: number, bytes: number, tag: Tag): void {
    const joins = bytes <= SMALL_BYTES && tag === this.#tag && startNs - this.#endNs <= LONGEST_PAUSE_NS
    if (!joins) this.close()
    if (this.#count === 0) {
      this.#name = name
      this.#startNs = startNs
      this.#tag = tag
    }
    this.#count += 1
    this.#bytes += bytes
    this.#endNs = endNs
    if (bytes > SMALL_BYTES) this.close()
  }

  /** Something else comes. */
  close(): void {
    const count = this.#count
    if (count === 0) return
    this.#count = 0
    const name = count === 1 ? this.#name : `${String(count)} writes`
    const bytes = this.#bytes
    this.#bytes = 0
    this.#emit(name, this.#startNs, this.#endNs, bytes, this.#tag)
  }
}
