/** The limits of a program that is graded: far above what any mend needs, and far below what would block a browser's GPU process. */
import type { Limits } from './limits'

const GIB = 2 ** 30
/**
 * Of the lab's kernels and of the program's own, each, in one call: what is in the queue when a call is ended (mend/client.ts) keeps other
 * pages waiting. Work is sized by what a report takes (lessons' mend/prepare.ts), so where reports are slow a call may take longer.
 */
const CALL_MS = 2000
const MOST_REPORTS = 64
/** Of loops in a learner's kernels, ms: of one invocation with nothing beside it, and where many run at once. */
export interface IterationTimes {
  readonly aloneMs: number
  readonly atOnceMs: number
}
/** Together, of kernels with counters of a fixed size: 64 steps of a thousand in each of some runs. */
const INVOCATIONS = 500_000
const DEFAULT_WORKGROUP = 256

/** @param calls of the program, the warm-up included */
export function limitsFor(
  calls: number,
  { aloneMs, atOnceMs }: IterationTimes,
  roundTripMs: number,
  device: Readonly<Record<string, number>>,
): Limits {
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
    iterations: callMs / atOnceMs,
    serialIterations: callMs / aloneMs,
    givenMs: callMs,
    invocations: INVOCATIONS,
    invocationsPerWorkgroup: device['maxComputeInvocationsPerWorkgroup'] ?? DEFAULT_WORKGROUP,
  }
}
