/**
 * The variants: 'up-4k' carries 4 KiB to the device, 'down-64m' brings 64 MiB back; three more
 * carry the same bytes at once and in pieces.
 */
import { byId } from '../../base/lists'
import type { Variant } from '../declare/experiment'

export const UP = 'up'
export const DOWN = 'down'
export const DIRECTIONS = [UP, DOWN] as const
export type Direction = (typeof DIRECTIONS)[number]

/** All bytes in one transfer. */
export const WHOLE = 'whole'
/** The same bytes in pieces, one wait behind the last. */
export const PIECES = 'pieces'
/** The same pieces, a wait behind each. */
export const PIECES_AWAITED = 'pieces-awaited'
export const TOGETHER = [WHOLE, PIECES, PIECES_AWAITED] as const

/** Sizes from the smallest to the largest, as a control shows them. */
export const SIZE_LABELS = {
  '4k': '4 KiB',
  '16k': '16 KiB',
  '64k': '64 KiB',
  '256k': '256 KiB',
  '1m': '1 MiB',
  '4m': '4 MiB',
  '16m': '16 MiB',
  '64m': '64 MiB',
  '256m': '256 MiB',
  '1g': '1 GiB',
} as const
type Size = keyof typeof SIZE_LABELS
const SIZES = Object.keys(SIZE_LABELS) as readonly Size[] // it has no others
const UNITS: Readonly<Record<string, number>> = { k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 }

export const bytesOf = (size: string): number => Number.parseInt(size, 10) * (UNITS[size.slice(-1)] ?? 1)

export const variantOf = (direction: Direction, size: string): string => `${direction}-${size}`

const WORDS = { [UP]: 'to the device', [DOWN]: 'back to the host' } as const
const TRANSFERS = DIRECTIONS.flatMap((direction) =>
  SIZES.map((size) => ({
    id: variantOf(direction, size),
    program: direction,
    words: `${SIZE_LABELS[size]} ${WORDS[direction]}`,
    direction,
    bytes: bytesOf(size),
  })),
)
/** Transfers, and the lines through all sizes of a direction, which are places of metrics. */
export const ALL: readonly Variant[] = [...TRANSFERS, ...DIRECTIONS.map((id) => ({ id, words: WORDS[id] }))]

/** Null: the variant has no size of its own. */
export const transferOf = byId(TRANSFERS)
/** The bytes of a transfer in this direction; null for another variant. */
export const bytesTo =
  (direction: Direction) =>
  (variant: string): number | null => {
    const transfer = transferOf(variant)
    return transfer?.direction === direction ? transfer.bytes : null
  }
