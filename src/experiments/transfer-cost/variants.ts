/** Names of the variants: 'up-4k' carries 4 KiB to the device, 'down-64m' brings 64 MiB back; three more carry the same bytes at once and in pieces. */

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

/** From the smallest to the largest, as a control shows them. */
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
export type Size = keyof typeof SIZE_LABELS
export const SIZES = Object.keys(SIZE_LABELS) as readonly Size[] // it has no others
const UNITS: Readonly<Record<string, number>> = { k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 }

export const bytesOf = (size: string): number => Number.parseInt(size, 10) * (UNITS[size.slice(-1)] ?? 1)

export const variantOf = (direction: Direction, size: string): string => `${direction}-${size}`

/** '1 MiB to the device'; of the line through all sizes, 'to the device'. */
export function variantInWords(variant: string): string | null {
  const { direction = DIRECTIONS.find((each) => each === variant), size } = parseVariant(variant) ?? {}
  if (!direction) return null
  const way = direction === UP ? 'to the device' : 'back to the host'
  const label = SIZES.find((each) => each === size)
  return label ? `${SIZE_LABELS[label]} ${way}` : way
}

/** Null for variants that are of no size of their own. */
export function parseVariant(
  variant: string,
): { readonly direction: Direction; readonly size: string; readonly bytes: number } | null {
  const [, way, size = ''] = /^(up|down)-(\d+[kmg])$/.exec(variant) ?? []
  const direction = DIRECTIONS.find((each) => each === way)
  return direction ? { direction, size, bytes: bytesOf(size) } : null
}
