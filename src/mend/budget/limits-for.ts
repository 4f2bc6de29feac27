/** The limits of a program that is graded: far above what any mend needs, and far below what would block a browser's GPU process. */
import type { Limits } from './limits'

const GIB = 2 ** 30
/**
 * Of the lab's kernels and of the program's own, each, in one call: what is in the queue when a call is ended (mend/client.ts) keeps other
 * pages waiting. Work is sized by what a report takes (lessons' mend/prepare.ts), so where reports are slow a call may take longer.
 */
const CALL_MS = 2000
const MOST_REPORTS = 64
/** A plain loop runs at about a sixteenth of the multiply-adds of the usual matmul: SwiftShader 5 against 0.3 GFLOP/s, naive. */
const PLAIN_SHARE = 1 / 16
const FLOPS_OF_ITERATION = 2
/** Where no rate is known, that of a slow software adapter. */
const LEAST_GFLOPS = 1
/** Together, of the program's own kernels: 64 steps of a thousand in each of some runs. */
const INVOCATIONS = 500_000
const DEFAULT_WORKGROUP = 256

/** @param calls of the program, the warm-up included */
export function limitsFor(
  calls: number,
  matmulGflops: number | null,
  roundTripMs: number,
  device: Readonly<Record<string, number>>,
): Limits {
  const iterationsPerMs = ((matmulGflops ?? LEAST_GFLOPS) * 1e6 * PLAIN_SHARE) / FLOPS_OF_ITERATION
  const callMs = CALL_MS + MOST_REPORTS * roundTripMs
  return {
    bytes: 2 * GIB,
    submits: 2000 * calls,
    encoders: 4000 * calls,
    passes: 8000 * calls,
    dispatches: 20_000 * calls,
    pipelines: 64,
    tokens: 20_000,
    writes: 2 * GIB * calls,
    copies: 8 * GIB * calls,
    iterations: iterationsPerMs * callMs,
    givenMs: callMs,
    invocations: INVOCATIONS,
    invocationsPerWorkgroup: device['maxComputeInvocationsPerWorkgroup'] ?? DEFAULT_WORKGROUP,
  }
}
