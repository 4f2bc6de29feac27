/** All parts there, carried once, with at most one wait. */
import { grouped } from '../../../base/figures'
import { firstWrongPart, checksOf, rulesFor, times } from '../../../exercises/rules'
import type { ExerciseRules } from '../../../exercises/exercise'
import type { RunOf } from '../../../exercises/types'
import { blockingWaitsOf, submissionsOf, uploadsOf, waitsOf } from '../../../exercises/trace-of-run'
import type { Trace } from '../../../trace/schema'

/** 16 KiB, the lesson's size. */
export const PART_WORDS = 4096
export const PART_BYTES = 4 * PART_WORDS

/** The lab finds this after a run: all that is in the buffer on the GPU. */
export type Uploads = { parts: number; arrived: ArrayLike<number> }

const { outputIs, uploadedBytes, atMost, halfTheTime, took } = rulesFor<Uploads>('uploads')
const MOST_WAITS = 1

/** The first part of which not every word is its own, in words; null where there is none. */
function missingPart({ found }: RunOf<Uploads>, labs: RunOf<Uploads>): string | null {
  const wrong = firstWrongPart(found.arrived, labs.found.arrived, found.parts)
  return (
    wrong &&
    `Part ${String(wrong.part)} did not arrive in its place: ${grouped(wrong.wrong)} of its ${grouped(wrong.of)} words are not its own.`
  )
}

/**
 * Waits before and behind which something is handed over, and nothing meanwhile, those of one gap
 * as one; and the wait at the end.
 */
function countWaits(trace: Trace, run: RunOf<Uploads>): number {
  const handed = [...uploadsOf(trace, run), ...submissionsOf(trace, run)].toSorted(
    (a, b) => a.startNs - b.startNs,
  )
  const gaps = blockingWaitsOf(trace, run, handed).map(({ endNs }) =>
    handed.findIndex(({ startNs }) => startNs >= endNs),
  )
  const lastNs = handed.at(-1)?.startNs ?? 0
  const waitsAtEnd = waitsOf(trace, run).some(({ endNs }) => endNs > lastNs)
  return new Set(gaps).size + (waitsAtEnd ? 1 : 0)
}

const output = outputIs(missingPart, (run) => `All ${String(run?.found.parts)} parts arrived`)
const work = uploadedBytes(({ found }) => found.parts * PART_BYTES)

export const rules: ExerciseRules = {
  figure: took('until all parts were there'),
  checks: checksOf({
    output,
    work,
    waits: atMost(MOST_WAITS, countWaits, (count) => `Your program waited ${times(count)} in a run`, waitsOf),
    time: halfTheTime,
  }),
}

/** Each part may be awaited: how many pieces it goes up in is asked for here. */
export const firstRung: ExerciseRules = {
  ...rules,
  checks: checksOf({
    output,
    work,
    waits: atMost(
      MOST_WAITS,
      (trace, run) => countWaits(trace, run) / run.found.parts,
      (count) =>
        count > MOST_WAITS
          ? `Your program waited ${times(count)} for each part`
          : 'Your program waited at most once for each part',
      waitsOf,
    ),
    time: halfTheTime,
  }),
}
