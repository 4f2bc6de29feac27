/** One rank's end of the wire: point-to-point messages, as torch.distributed has them. */
import type { RankState } from './wait-for'

export interface Endpoint {
  readonly rank: number
  /** Number of ranks. */
  readonly size: number
  /**
   * Resolves once the other rank has received all of it. Messages between two ranks arrive in the
   * order of the calls.
   * @throws RangeError for a rank that is not there, or this one; Error where the other rank
   * receives another number of bytes;
   *   WireError once the wire has been cut.
   */
  send: (to: number, data: ArrayBufferView) => Promise<void>
  /** Resolves once `into` is filled. @throws as `send`. */
  recv: (from: number, into: ArrayBufferView) => Promise<void>
}

/** A rank's end as the lab holds it: what no program calls. */
export interface WireEnd extends Endpoint {
  /** A program is about to run: until it waits, the rank may yet make any call. */
  begin: () => void
  /**
   * The program has returned: who waits for this rank now does so for ever. Undone by the next
   * call.
   */
  end: () => void
  /** Every call outstanding, and every later one, fails with a WireError that says why. */
  cut: (reason: string) => void
  /** The wait of this moment, for wires where no other thread can see it. */
  readonly state?: RankState
}

/**
 * Every call that was waiting, or is made, after the wire was cut: by a cancel, or since the ranks
 * wait for each other for ever.
 */
export class WireError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'WireError'
  }
}

/** Bytes of a view, not a copy. */
export const bytesOf = (view: ArrayBufferView): Uint8Array =>
  new Uint8Array(view.buffer, view.byteOffset, view.byteLength)

/** The two ends of a message have buffers of other lengths. */
export const sizesDiffer = (rank: number, received: number, from: number, sent: number): Error =>
  new Error(
    `Rank ${String(rank)} receives ${String(received)} bytes from rank ${String(from)}, which sends ${String(sent)}.`,
  )

/** @throws RangeError */
export function assertPeer({ rank, size }: Pick<Endpoint, 'rank' | 'size'>, peer: number): void {
  if (!Number.isInteger(peer) || peer < 0 || peer >= size)
    throw new RangeError(`There is no rank ${String(peer)}: ranks are 0 to ${String(size - 1)}.`)
  if (peer === rank)
    throw new RangeError(`Rank ${String(rank)} can neither send to itself nor receive from itself.`)
}
