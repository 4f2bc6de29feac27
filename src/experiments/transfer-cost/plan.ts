/**
 * Picks the sizes that are run, how many transfers make a window, and into how many pieces the
 * bytes are cut. Pure arithmetic; times in ms.
 */
import { fitRun } from '../sizing'
import { bytesOf, DIRECTIONS, variantOf } from './variants'

/** All awaited pieces together take at most so long: more would be a wait for the learner too. */
const MOST_AWAITED_MS = 800
const LEAST_PIECES = 4
/**
 * Small transfers are repeated in a window until that is long beside the host clock's step, be it 5
 * µs or 100 µs.
 */
const WINDOW_MS = 10
const MOST_TRANSFERS = 16
/** Estimates assume a rate that is low for a browser. */
const CARRIED_BYTES_PER_MS = 1.5e6
/** Round trips besides those in a window: what it carries is filled before, and read after it. */
const WAITS_AROUND = 2

/** Estimates a transfer of so many bytes, given the time of almost nothing. */
const estimateMs = (bytes: number, latencyMs: number): number => latencyMs + bytes / CARRIED_BYTES_PER_MS

/**
 * @param latencyMs of an awaited transfer of a few bytes
 * @param aroundMs of a round trip outside the windows
 * @param mostBytes that a buffer may have
 */
export function planTransfers(
  asked: {
    readonly sizes: readonly string[]
    readonly pieces: number
    readonly pieceBytes: number
    readonly repeats: number
    readonly seconds: number
  },
  latencyMs: number,
  aroundMs: number,
  mostBytes: number,
) {
  const sizes = asked.sizes
    .filter((size) => bytesOf(size) <= mostBytes)
    .toSorted((a, b) => bytesOf(a) - bytesOf(b))
  const largest = bytesOf(sizes.at(-1) ?? '0k')
  const transfersOf = (size: string): number => {
    const wanted = Math.round(WINDOW_MS / estimateMs(bytesOf(size), latencyMs))
    return Math.max(1, Math.min(MOST_TRANSFERS, wanted, Math.floor(largest / bytesOf(size))))
  }
  const affordable = Math.max(LEAST_PIECES, Math.floor(MOST_AWAITED_MS / latencyMs))
  const pieces = Math.min(asked.pieces, affordable, Math.max(1, Math.floor(mostBytes / asked.pieceBytes)))
  const windows = DIRECTIONS.length * sizes.length + 3
  const sizedMs = sizes.reduce(
    (sum, size) => sum + transfersOf(size) * estimateMs(bytesOf(size), latencyMs),
    0,
  )
  const roundMs = (count: number): number =>
    DIRECTIONS.length * sizedMs +
    (3 * (count * asked.pieceBytes)) / CARRIED_BYTES_PER_MS +
    (count + 2) * latencyMs +
    windows * WAITS_AROUND * aroundMs
  const { steps, repeats } = fitRun({ ...asked, steps: pieces }, roundMs, LEAST_PIECES)
  return {
    repeats,
    pieces: steps,
    sizes,
    /** Transfers in a window, by variant. */
    transfers: new Map(
      sizes.flatMap((size) =>
        DIRECTIONS.map((direction) => [variantOf(direction, size), transfersOf(size)] as const),
      ),
    ),
  }
}
