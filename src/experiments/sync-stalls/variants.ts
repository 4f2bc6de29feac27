/** Names of the variants: how often the host reads back. */

/** Steps between two reads; Infinity for 'never'. */
export function readInterval(variant: string): number {
  if (variant === 'never') return Number.POSITIVE_INFINITY
  if (variant === 'every-step') return 1
  return Number(variant.replace('every-', ''))
}
