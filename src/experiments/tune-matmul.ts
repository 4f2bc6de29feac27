/** Which matmul kernel, and with which tile, is fastest on this device for one shape: found by short trials, remembered. */
import type { RunContext } from '../engine'
import type { MatmulShape } from '../kernels/catalog'
import type { Kernel } from '../kernels/kernel'

/** One candidate's fate. */
export interface Trial {
  readonly kernelId: string
  /** The kernel with its tile, as a person reads it. */
  readonly label: string
  /** Median of its dispatches, ms; null where it was not timed. */
  readonly ms: number | null
  readonly gflops: number | null
  readonly outcome: 'chosen' | 'slower' | 'wrong-result' | 'unsupported' | 'failed' | 'no-time-left'
  /** Why, where it was not timed. */
  readonly reason?: string
}

/** Keeps a choice beyond the page, by a key that names adapter, browser version, kernel version and shape. */
export interface TuningMemory {
  readonly get: (key: string) => Promise<string | undefined>
  readonly set: (key: string, value: string) => Promise<void>
}

export interface TunedMatmul {
  /** Ready for `kernelCall(kernel, shape)`. */
  readonly kernel: Kernel<MatmulShape>
  readonly origin: 'measured' | 'remembered' | 'only-candidate'
  readonly trials: readonly Trial[]
}

export interface TuneOptions {
  /** Time for all trials together, ms of wall clock. */
  readonly budgetMs: number
  readonly deviceStepNs: number | null
  readonly memory?: TuningMemory
  readonly onProgress?: (fraction: number, message: string) => void
}

export type TuneMatmul = (context: RunContext, shape: MatmulShape, options: TuneOptions) => Promise<TunedMatmul>
