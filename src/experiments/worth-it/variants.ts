/**
 * Names of the variants: where the work is done, and for which size n (matrices are n × n): 'cpu-256', 'round-trip-256'.
 * Two more measure what the rules of thumb are made of.
 */

/** Inputs and result in host memory, computed by the CPU. */
export const CPU = 'cpu'
/** Inputs and result in host memory, computed by the device: uploaded, multiplied, read back. */
export const ROUND_TRIP = 'round-trip'
/** Inputs and result on the device, where they stay: queued one behind the other. */
export const RESIDENT = 'resident'
export const PLACES = [CPU, ROUND_TRIP, RESIDENT] as const
export type Place = (typeof PLACES)[number]

/** Bytes to the device, awaited; and bytes back. */
export const UPLOAD = 'upload'
export const READBACK = 'readback'

/** The size whose trip is taken apart: a kernel runs in it, and its bytes hardly count. */
export const ASKED_SIZE = 128
/** Of the sizes that were run, ascending: that one, else the next larger, else the largest. */
export const askedOf = (sizes: readonly number[]): number | undefined =>
  sizes.find((n) => n >= ASKED_SIZE) ?? sizes.at(-1)

export const variantOf = (place: Place, n: number): string => `${place}-${String(n)}`

/** Null for the variants that have no size. */
export function parseVariant(variant: string): { readonly place: Place; readonly n: number } | null {
  const match = /^(cpu|round-trip|resident)-(\d+)$/.exec(variant)
  const place = PLACES.find((candidate) => candidate === match?.[1])
  return place ? { place, n: Number(match?.[2]) } : null
}

const PLACE_WORDS = {
  [CPU]: 'on the CPU',
  [ROUND_TRIP]: 'on the device, there and back',
  [RESIDENT]: 'on the device, where the data stays',
} as const
/** 'on the CPU, n = 2048'; of all sizes, 'on the CPU'. */
export function variantInWords(variant: string): string | null {
  const { place = PLACES.find((each) => each === variant), n } = parseVariant(variant) ?? {}
  return place ? `${PLACE_WORDS[place]}${n === undefined ? '' : `, n = ${String(n)}`}` : null
}

/** 'cpu-64=12 upload=4' and back: counts that metrics need, as one derived value. */
export const writeCounts = (counts: ReadonlyMap<string, number>): string =>
  [...counts].map(([variant, count]) => `${variant}=${String(count)}`).join(' ')

export const readCounts = (text: string): ReadonlyMap<string, number> =>
  new Map(
    [...text.matchAll(/(\S+)=([1-9]\d*)(?= |$)/g)].map(([, variant = '', count]) => [variant, Number(count)]),
  )
