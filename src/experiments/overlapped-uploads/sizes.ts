/** Batch and matmul sizes for a target balance of compute and upload time, and how long a window takes. Pure arithmetic. */
import { MIB } from '../../base/figures'
import { boundedKernelMs } from '../sizing'
import { COMPUTE_ONLY, ringDepth, SERIAL } from './variants'

/** Above the 3 ms in which completion is reported, and 16 of them stay under 0.1 s. */
const TARGET_UPLOAD_MS = 6
export const MIN_BATCH_BYTES = MIB / 4
const MAX_BATCH_BYTES = 64 * MIB

/** How long one upload should take: shorter where computing, in proportion, would queue more than the lab allows. */
export const targetUploadMs = (balance: number, steps: number): number =>
  Math.min(TARGET_UPLOAD_MS, boundedKernelMs(Infinity, steps) / balance)

/** The next power of two to try when `sizeBytes` took `tookMs`; null when it is near enough or at a bound. */
export function nextBatchBytes(sizeBytes: number, tookMs: number, targetMs: number): number | null {
  if (tookMs >= targetMs * 0.7 || sizeBytes >= MAX_BATCH_BYTES) return null
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

/** Powers of two whose square fits the batch. */
export const candidateSizes = (batchBytes: number): readonly number[] =>
  [64, 128, 256, 512, 1024, 2048, 4096].filter((s) => s * s * 4 <= batchBytes)

/** About how long a window of `steps` takes. A step that is awaited ends at a look for completion: at the first, or one after its end. */
export function windowMs(
  variant: string,
  steps: number,
  { uploadMs, computeMs, roundTripMs }: Readonly<Record<'uploadMs' | 'computeMs' | 'roundTripMs', number>>,
): number {
  const sum = uploadMs + computeMs
  const awaited = sum < roundTripMs ? roundTripMs : sum + roundTripMs
  if (variant === COMPUTE_ONLY) return steps * computeMs + roundTripMs
  // It awaits the result, then its buffer: another look, where looks are rarer than steps.
  if (variant === SERIAL) return steps * (sum < roundTripMs ? 2 * awaited : awaited)
  const depth = ringDepth(variant)
  // 'upload-only' was timed as it will run.
  const step = depth === 0 ? uploadMs : Math.max(uploadMs, computeMs, awaited / depth)
  return steps * step + roundTripMs
}
