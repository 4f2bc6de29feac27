/**
 * Names of the variants: where the work is done, and for which size n (matrices are n × n):
 * 'cpu-256', 'round-trip-256'.
 */
import { byId } from '../../base/lists'
import type { Variant } from '../declare/experiment'

/** The CPU computes, and inputs and result stay in host memory. */
export const CPU = 'cpu'
/** Inputs and result in host memory, computed by the device: uploaded, multiplied, read back. */
export const ROUND_TRIP = 'round-trip'
/** Inputs and result on the device, where they stay: queued one behind the other. */
export const RESIDENT = 'resident'
export const PLACES = [CPU, ROUND_TRIP, RESIDENT] as const
export type Place = (typeof PLACES)[number]

/** The size whose trip is taken apart: a kernel runs in it, and its bytes hardly count. */
export const ASKED_SIZE = 128
export const variantOf = (place: Place, n: number): string => `${place}-${String(n)}`

/** n, for matrices n × n. */
export const SIZES = '16 24 32 48 64 96 128 192 256 384 512 768 1024 1536 2048 3072'.split(' ')

const PLACE_WORDS = {
  [CPU]: 'on the CPU',
  [ROUND_TRIP]: 'on the device, there and back',
  [RESIDENT]: 'on the device, where the data stays',
} as const
const SIZED = PLACES.flatMap((place) =>
  SIZES.map(Number).map((n) => ({
    id: variantOf(place, n),
    program: place,
    words: `${PLACE_WORDS[place]}, n = ${String(n)}`,
    place,
    n,
  })),
)
/** Variants, and the places of all sizes, which metrics have. */
export const ALL: readonly Variant[] = [...SIZED, ...PLACES.map((id) => ({ id, words: PLACE_WORDS[id] }))]

/** Null: the variant has no size. */
export const sizedOf = byId(SIZED)
/** The size of a variant of this place; null for another. */
export const sizeAt =
  (place: Place) =>
  (variant: string): number | null => {
    const sized = sizedOf(variant)
    return sized?.place === place ? sized.n : null
  }
