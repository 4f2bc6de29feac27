/** Batch and matmul sizes for a target balance of compute and upload time. Pure arithmetic. */
import { MIB } from '../../base/units'

/** One upload should take about this long: above the 3 ms in which completion is heard, and 16 of them stay under 0.1 s. */
export const TARGET_UPLOAD_MS = 6
export const MIN_BATCH_BYTES = MIB / 4
export const MAX_BATCH_BYTES = 64 * MIB

/** The next power of two to try when `bytes` took `tookMs`; null when it is near enough or at a bound. */
export function nextBatchBytes(sizeBytes: number, tookMs: number): number | null {
  if (tookMs >= TARGET_UPLOAD_MS * 0.7 || sizeBytes >= MAX_BATCH_BYTES) return null
  return sizeBytes * 2
}

export interface ComputePlan {
  /** C (rows × s) += A (rows × s) · B (s × s); A is the first rows of the batch. */
  readonly s: number
  readonly rows: number
  /** The matmul is dispatched this often in the pass. */
  readonly dispatches: number
}

/**
 * Rows and dispatches so that a pass takes `targetMs`, given the time of one s³ matmul: time grows with rows.
 * A batch holds at most bytes / 4s rows; what does not fit is computed by dispatching again.
 */
export function planCompute(s: number, cubeMs: number, targetMs: number, batchBytes: number): ComputePlan {
  const available = Math.max(1, Math.floor(batchBytes / (4 * s)))
  const wanted = (targetMs / cubeMs) * s
  const dispatches = Math.max(1, Math.min(64, Math.ceil(wanted / available)))
  const grain = s >= 512 ? 128 : 16
  const rows = Math.max(1, Math.min(available, Math.round(wanted / dispatches / grain) * grain || grain))
  return { s, rows, dispatches }
}

/** Largest s (power of two) whose square fits the batch and whose cube takes no longer than the target. */
export const candidateSizes = (batchBytes: number): readonly number[] =>
  [64, 128, 256, 512, 1024, 2048, 4096].filter((s) => s * s * 4 <= batchBytes)
