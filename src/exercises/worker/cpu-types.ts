/**
 * Messages between an exercise's worker and the one that multiplies on the CPU: one question at a
 * time.
 */

export type CpuQuestion =
  /** Words of the largest matrix. */
  | { readonly type: 'open'; readonly words: number }
  | { readonly type: 'multiply'; readonly n: number }
  | { readonly type: 'time'; readonly n: number }

export type CpuAnswer =
  | { readonly type: 'opened'; readonly library: string; readonly threads: number }
  | { readonly type: 'product'; readonly product: Float32Array }
  /** Time of one product, the mean of some calls where one is short. */
  | { readonly type: 'time'; readonly ms: number }
  | { readonly type: 'failed'; readonly message: string }
