/** Names of the variants: how many workers make the batches, or how far ahead one worker is. */
import { byId, type Variant } from '../declare/variants'

/** Batches that are ready before the run: no other variant can be faster. */
export const AT_HAND = 'at-hand'
export const workersVariant = (workers: number | string): string => `workers-${String(workers)}`
export const ONE_WORKER = workersVariant(1)
export const aheadVariant = (ahead: number | string): string => `ahead-${String(ahead)}`
/** What a larger reserve is seen against. */
export const LEAST_AHEAD = aheadVariant(1)

/** Batches that each worker has ahead: PyTorch's default of `prefetch_factor`. */
const PREFETCH = 2

export const WORKERS = ['0', '1', '2', '4', '8', '16'] as const
export const AHEAD = ['1', '2', '4', '8'] as const

export interface Makers extends Variant {
  /** 0: the loop makes its batches. */
  readonly workers: number
  /** Batches ahead, of all workers together. */
  readonly ahead: number
  /** By what it differs from the others. */
  readonly by: 'workers' | 'ahead'
}

const many = (count: number, one: string, several: string): string =>
  `${String(count)} ${count === 1 ? one : several}`
export const ALL: readonly Makers[] = [
  ...WORKERS.map(Number).map((workers) => ({
    id: workersVariant(workers),
    program: workers > 0 ? 'workers' : 'inline',
    words: workers === 0 ? 'batches made in the loop' : many(workers, 'worker', 'workers'),
    workers,
    ahead: workers * PREFETCH,
    by: 'workers' as const,
  })),
  ...AHEAD.map(Number).map((ahead) => ({
    id: aheadVariant(ahead),
    program: 'workers',
    words: many(ahead, 'batch ahead', 'batches ahead'),
    workers: 1,
    ahead,
    by: 'ahead' as const,
  })),
]
/** Null where batches are at hand. */
export const makersOf = byId(ALL)

/** Of the variants that differ by this; 0 elsewhere. */
const countBy = (by: Makers['by'], variant: string): number => {
  const makers = makersOf(variant)
  return makers?.by === by ? makers[by] : 0
}
export const workersIn = (variant: string): number => countBy('workers', variant)
export const aheadIn = (variant: string): number => countBy('ahead', variant)
export const hasWorkers = (variant: string): boolean => (makersOf(variant)?.workers ?? 0) > 0
