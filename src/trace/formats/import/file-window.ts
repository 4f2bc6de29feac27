/**
 * The part of a file that is being read. It moves on in pieces, and its bytes are let go from the
 * front: what it is asked to keep is at its beginning after each move.
 */
import { OverBudget } from '../../budget'
import { PIECE_BYTES } from '../../file-source'

export class FileWindow {
  bytes = new Uint8Array()
  /** How many of `bytes` are of the file. */
  length = 0
  /** The file's byte that `bytes` begins with. */
  base = 0
  /** The file ends with it. */
  isLast = false
  /** What ended the file too early. */
  problem: string | null = null
  /** First byte to be kept; −1: nothing more is wanted. */
  #from = 0
  readonly #pieces: AsyncIterator<Uint8Array>
  readonly #pieceBytes: number
  readonly #claimed: number
  readonly #isSure: boolean
  readonly #most: number

  /**
   * @param claimed size of the file, which of a gzip is not sure
   * @param most bytes that may come
   */
  constructor(
    pieces: AsyncIterator<Uint8Array>,
    { claimed, isSure }: { readonly claimed: number; readonly isSure: boolean },
    most: number,
    pieceBytes = PIECE_BYTES,
  ) {
    this.#pieces = pieces
    this.#pieceBytes = pieceBytes
    this.#claimed = claimed
    this.#isSure = isSure
    this.#most = most
  }

  /** Of the file; where that is not sure, of what has come of it. */
  get size(): number {
    return this.#isSure ? this.#claimed : this.base + this.length
  }

  /** Of the file, as far as can be told. */
  get expected(): number {
    return Math.max(this.#claimed, this.base + this.length)
  }

  /** Asks for more at the next `fill`. @param from the first byte that is still needed */
  want(from: number): void {
    this.#from = from
  }

  /**
   * Lets go what is before the bytes wanted, and brings a piece more, or as much again as is kept.
   * @throws OverBudget, or what the pieces throw before there is any
   */
  async fill(): Promise<void> {
    if (this.#from < 0) return
    this.bytes.copyWithin(0, this.#from, this.length)
    this.base += this.#from
    this.length -= this.#from
    this.#from = -1
    const wanted = Math.max(this.#pieceBytes, 2 * this.length)
    while (this.length < wanted && !this.isLast) {
      const piece = await this.#next()
      if (piece === null) this.isLast = true
      else this.#append(piece)
    }
  }

  async #next(): Promise<Uint8Array | null> {
    try {
      const piece = await this.#pieces.next()
      return piece.done === true ? null : piece.value
    } catch (thrown) {
      if (this.#isSure || this.base + this.length === 0) throw thrown
      this.problem = thrown instanceof Error ? thrown.message : String(thrown)
      return null
    }
  }

  #append(piece: Uint8Array): void {
    const end = this.length + piece.length
    if (this.base + end > this.#most) throw new OverBudget('bytes', null, this.#most)
    if (end > this.bytes.length) {
      const grown = new Uint8Array(Math.max(end, 2 * this.bytes.length))
      grown.set(this.bytes.subarray(0, this.length))
      this.bytes = grown
    }
    this.bytes.set(piece, this.length)
    this.length = end
  }
}
