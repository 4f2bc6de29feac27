/** The variants are how often the host reads: 'never', 'every-step', 'every-4'. */

/** Steps between two reads; Infinity for 'never'. */
export function readInterval(variant: string): number {
  if (variant === 'never') return Number.POSITIVE_INFINITY
  return variant === 'every-step' ? 1 : Number(variant.replace('every-', ''))
}
