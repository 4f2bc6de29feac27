/** Files that are read in pieces, so that none is held whole. */
import { inflate } from './gzip'

export interface FileSource {
  readonly size: number
  /** Fewer bytes where the file ends before `to`. */
  readonly read: (from: number, to: number) => Promise<Uint8Array>
  /** The source gives its bytes away, and a reader may write in them. */
  readonly givesAway?: boolean
  /** How many bytes are read at once. */
  readonly pieceBytes?: number
}

export const sourceOf = (bytes: Uint8Array): FileSource => ({
  size: bytes.length,
  read: (from, to) => Promise.resolve(bytes.subarray(from, to)),
})

export const PIECE_BYTES = 2 ** 20

/** The next piece is fetched while one is read. */
export async function* piecesOf({
  size,
  read,
  pieceBytes = PIECE_BYTES,
}: FileSource): AsyncGenerator<Uint8Array, void> {
  let next = read(0, Math.min(size, pieceBytes))
  for (let at = pieceBytes; ; at += pieceBytes) {
    const piece = await next
    if (at < size) {
      next = read(at, Math.min(size, at + pieceBytes))
      next.catch(() => undefined) // it is awaited in the next turn, if there is one
    }
    yield piece
    if (at >= size) return
  }
}

export const inflatedPiecesOf = (source: FileSource): AsyncGenerator<Uint8Array, void> =>
  inflate(piecesOf(source))
