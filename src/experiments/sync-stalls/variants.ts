/** Names of the variants: how often the host reads back, and for a point of the curve how long its kernel is. */

/** Steps between two reads; Infinity for 'never'. */
export function readInterval(variant: string): number {
  if (variant === 'never') return Number.POSITIVE_INFINITY
  if (variant.startsWith('every-step')) return 1
  return Number(variant.replace('every-', ''))
}

/** 'every-step@0.5' is a read after every step of about 0.5 ms. Null where the variant is no point of the curve. */
export function curveMs(variant: string): number | null {
  const [, ms] = variant.split('@')
  return ms === undefined ? null : Number(ms)
}
