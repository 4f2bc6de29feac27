/** Names of the variants: how many workers make the batches, or how far ahead one worker is. */

/** Batches that are ready before the run: no other variant can be faster. */
export const AT_HAND = 'at-hand'
export const workersVariant = (workers: number | string): string => `workers-${String(workers)}`
export const ONE_WORKER = workersVariant(1)
export const aheadVariant = (ahead: number | string): string => `ahead-${String(ahead)}`
/** What a larger reserve is seen against. */
export const LEAST_AHEAD = aheadVariant(1)

/** Batches that each worker has ahead: PyTorch's default of `prefetch_factor`. */
const PREFETCH = 2

export interface Makers {
  /** 0: the loop makes its batches. */
  readonly workers: number
  /** Of all workers together. */
  readonly ahead: number
}

const numberIn = (variant: string, prefix: string): number | null =>
  variant.startsWith(prefix) ? Number(variant.slice(prefix.length)) : null

/** Null where batches are at hand. */
export function makersOf(variant: string): Makers | null {
  const ahead = numberIn(variant, 'ahead-')
  if (ahead !== null) return { workers: 1, ahead }
  const workers = numberIn(variant, 'workers-')
  return workers === null ? null : { workers, ahead: workers * PREFETCH }
}
/** '4 workers', '8 batches ahead' */
export function variantInWords(variant: string): string | null {
  const makers = makersOf(variant)
  if (!makers) return null
  const { workers, ahead } = makers
  if (aheadIn(variant) > 0) return `${String(ahead)} batch${ahead === 1 ? '' : 'es'} ahead`
  return workers === 0 ? 'batches made in the loop' : `${String(workers)} worker${workers === 1 ? '' : 's'}`
}

/** Of the variants that differ by their workers; 0 elsewhere. */
export const workersIn = (variant: string): number => numberIn(variant, 'workers-') ?? 0
/** Of the variants that differ by their reserve; 0 elsewhere. */
export const aheadIn = (variant: string): number => numberIn(variant, 'ahead-') ?? 0
export const hasWorkers = (variant: string): boolean => (makersOf(variant)?.workers ?? 0) > 0
