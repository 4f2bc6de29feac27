/**
 * The limits of a program that is graded: far above what any mend needs, and far below what would
 * block a browser's GPU process.
 */
import type { Limits } from './limits'

const GIB = 2 ** 30
/**
 * A call may queue so much of the lab's kernels, and so much of its own: what is in the queue when
 * a call is ended (exercises/client.ts) keeps other pages waiting, on a GPU for less than 2 s in
 * all. Work is sized by what a report takes (lessons' mend/prepare.ts), so where reports are slow a
 * call may take longer.
 */
const CALL_MS = { gpu: 1500, software: 2000 }
const MOST_REPORTS = 64
interface Times {
  readonly aloneMs: number
  readonly atOnceMs: number
}
/**
 * Times of loops in a learner's kernels, ms: of one invocation with nothing beside it, and where
 * many run at once.
 */
export interface IterationTimes extends Times {
  /**
   * Times of iterations with as many barriers as there can be: a module with one has counters of a
   * fixed size.
   */
  readonly withBarriers: Times
}
/**
 * This many dispatches, of this many invocations each, in one call: such kernels get as much fuel
 * as lets these end in the time of a call. It divides that time, and cannot exceed it: a dispatch
 * costs what it may take (table.ts), so fewer or smaller ones are all that more fuel allows.
 */
const COUNTED = { dispatches: 64, invocations: 2 ** 13 }
const DEFAULT_WORKGROUP = 256

/** @param calls of the program, the warm-up included */
export function limitsFor(
  calls: number,
  { aloneMs, atOnceMs, withBarriers }: IterationTimes,
  roundTripMs: number,
  { limits, isSoftware }: { readonly limits: Readonly<Record<string, number>>; readonly isSoftware: boolean },
): Limits {
  const callMs = (isSoftware ? CALL_MS.software : CALL_MS.gpu) + MOST_REPORTS * roundTripMs
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
    counted: {
      iterations: callMs / withBarriers.atOnceMs,
      serialIterations: callMs / withBarriers.aloneMs,
      perInvocation:
        callMs /
        COUNTED.dispatches /
        Math.max(withBarriers.aloneMs, COUNTED.invocations * withBarriers.atOnceMs),
    },
    invocationsPerWorkgroup: limits['maxComputeInvocationsPerWorkgroup'] ?? DEFAULT_WORKGROUP,
  }
}
