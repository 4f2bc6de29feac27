/** What a tuner is given and what it answers: `tune-matmul.ts` is the tuner. */
import type { RunContext } from '../engine'
import type { MatmulKernel, MatmulShape } from '../kernels/catalog'

/** One candidate's fate. */
export interface Trial {
  readonly kernelId: string
  /** The kernel with its tile, as a person reads it. */
  readonly label: string
  /** Median of its dispatches, ms; null where it was not timed. */
  readonly ms: number | null
  readonly gflops: number | null
  readonly outcome: 'chosen' | 'slower' | 'wrong-result' | 'unsupported' | 'failed' | 'no-time-left'
  /** Why, where it was not timed, or not now. */
  readonly reason?: string
}

/** Keeps a choice beyond the page, by a key that names adapter, browser version, kernel version and shape. */
export interface TuningMemory {
  readonly get: (key: string) => Promise<string | undefined>
  readonly set: (key: string, value: string) => Promise<void>
}

export interface TunedMatmul {
  /** Ready for `kernelCall(kernel, shape)`: with one tile, whatever the shape. */
  readonly kernel: MatmulKernel
  readonly label: string
  readonly origin: 'measured' | 'remembered' | 'only-candidate'
  /** What the trials multiplied: the shape, with a smaller k where all of it would have taken too long. */
  readonly trialShape: MatmulShape
  readonly trials: readonly Trial[]
}

export interface TuneOptions {
  /** Time for all trials together, ms of wall clock. */
  readonly budgetMs: number
  readonly deviceStepNs: number | null
  readonly memory?: TuningMemory
  readonly onProgress?: (fraction: number, message: string) => void
}

export type TuneMatmul = (
  context: RunContext,
  shape: MatmulShape,
  options: TuneOptions,
) => Promise<TunedMatmul>
