/**
 * Limits of what a learner's program may ask of WebGPU, and the sentences where it asked for more.
 */

import { bytesText, durationText, grouped } from '../../base/figures'

/**
 * The limits of a program that is graded: far above what any mend needs, and far below what would
 * block a browser's GPU process.
 */
const GIB = 2 ** 30
/**
 * A call may queue so much of the lab's kernels, and so much of its own: what is in the queue when
 * a call is ended (exercises/client.ts) keeps other pages waiting, on a GPU for less than 2 s in
 * all. Work is sized by what a report takes (lessons' mend/prepare.ts), so where reports are slow a
 * call may take longer.
 */
const CALL_MS = { gpu: 1500, software: 2000 }
const MOST_REPORTS = 64
const DEFAULT_WORKGROUP = 256

/**
 * @param calls of the program, the warm-up included
 * @param iterationMs an iteration of the program's own kernels, where many invocations run at once
 */
export function limitsFor(
  calls: number,
  iterationMs: number,
  roundTripMs: number,
  { limits, isSoftware }: { readonly limits: Readonly<Record<string, number>>; readonly isSoftware: boolean },
): Limits {
  const callMs = (isSoftware ? CALL_MS.software : CALL_MS.gpu) + MOST_REPORTS * roundTripMs
  return {
    bytes: 2 * GIB,
    commands: 20_000 * calls,
    pipelines: 64,
    writes: 2 * GIB * calls,
    copies: 8 * GIB * calls,
    iterations: callMs / iterationMs,
    givenMs: callMs,
    invocationsPerWorkgroup: limits['maxComputeInvocationsPerWorkgroup'] ?? DEFAULT_WORKGROUP,
  }
}

export interface Spending {
  /** GPU memory of buffers that are not destroyed, bytes. */
  bytes: number
  /** Command encoders, passes, dispatches and calls of queue.submit(). */
  commands: number
  /** Shader modules and pipelines. */
  pipelines: number
  /** Bytes given to writeBuffer(). */
  writes: number
  /**
   * Bytes of copyBufferToBuffer() and clearBuffer(), and of all buffers made: a new buffer is
   * filled with zeros when it is first used.
   */
  copies: number
  /**
   * Time of the program's own kernels in one call of it, in iterations of 32 tokens of many
   * invocations at once.
   */
  iterations: number
  /**
   * Time of the lab's kernels in one call of the program, ms: how often each was dispatched, by
   * what it was measured to take.
   */
  givenMs: number
}

export interface Limits extends Readonly<Spending> {
  /**
   * The device's maxComputeInvocationsPerWorkgroup, for kernels whose workgroup has no known size.
   */
  readonly invocationsPerWorkgroup: number
}

const inWords = new Intl.NumberFormat('en', {
  notation: 'compact',
  compactDisplay: 'long',
  maximumSignificantDigits: 3,
})
/** '64', '10,000', '2.5 million'. */
export const countOf = (value: number): string =>
  value >= 1e6 ? inWords.format(value) : grouped(Math.round(value))
const timeOf = (ms: number): string => durationText(ms * 1e6)

export const SENTENCES: Readonly<Record<keyof Spending, (wanted: number, limit: number) => string>> = {
  bytes: (wanted, limit) =>
    `Your program asked for ${bytesText(wanted)} of GPU memory; an exercise may use ${bytesText(limit)}.`,
  commands: (_, limit) =>
    `Your program made too many encoders, passes, dispatches and calls of submit(); an exercise may make ${countOf(limit)} in all.`,
  pipelines: (_, limit) =>
    `Your program made too many shader modules and pipelines; an exercise may make ${countOf(limit)}.`,
  writes: (wanted, limit) =>
    `Your program uploaded ${bytesText(wanted)} with writeBuffer(); an exercise may upload ${bytesText(limit)}.`,
  copies: (wanted, limit) =>
    `Your program made and copied buffers of ${bytesText(wanted)} in all; an exercise may use ${bytesText(limit)}.`,
  iterations: (wanted, limit) =>
    `Your kernels could take as long as ${countOf(wanted)} iterations; an exercise may run ${countOf(limit)} in a call.`,
  givenMs: (wanted, limit) =>
    `Your program dispatched about ${timeOf(wanted)} of the lab's kernels; an exercise may use ${timeOf(limit)} in a call.`,
}

export const noSpending = (): Spending =>
  Object.fromEntries(Object.keys(SENTENCES).map((kind) => [kind, 0])) as unknown as Spending // of all kinds
