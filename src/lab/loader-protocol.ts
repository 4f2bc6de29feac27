/**
 * Between a loader and its worker. Memory is transferred, there and back: no batch is copied on its
 * way.
 */
import type { BatchOptions } from './batch-maker'

export type LoaderRequest =
  | { readonly type: 'open'; readonly options: BatchOptions }
  | { readonly type: 'make'; readonly index: number; readonly memory: ArrayBuffer }

export type LoaderAnswer =
  | { readonly type: 'opened' }
  | {
      readonly type: 'made'
      readonly index: number
      readonly memory: ArrayBuffer
      /** performance.timeOrigin and performance.now() of the worker, ms. */
      readonly timeOriginMs: number
      readonly startMs: number
      readonly endMs: number
    }
