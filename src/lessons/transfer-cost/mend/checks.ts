/** All parts there, carried once, with at most one wait. */
import type { MendRules } from '../../../exercises/mend'
import type { RunOf } from '../../../exercises/run-facts'
import { checksOf, rulesFor, times } from '../../../exercises/rules'
import { blockingWaitsOf, submissionsOf, uploadsOf, waitsOf } from '../../../exercises/trace-of-run'
import type { Trace } from '../../../trace/schema'
import { bitsAt, KEPT_WORDS, PART_BYTES, positionsOf, type Uploads } from './parts'

const { outputIs, uploadedBytes, atMost, halfTheTime, took } = rulesFor<Uploads>('uploads')
const MOST_WAITS = 1

/** The first part of which not every kept word is its own, in words; null where there is none. */
function missingPart({ facts: { parts, seed }, found: { arrived } }: RunOf<Uploads>): string | null {
  if (arrived.length !== parts * KEPT_WORDS) return 'What arrived could not be read.'
  for (let part = 0; part < parts; part += 1) {
    const wrong = positionsOf(part).filter(
      (position, index) => arrived[part * KEPT_WORDS + index] !== bitsAt(position, seed),
    ).length
    if (wrong > 0)
      return `Part ${String(part)} did not arrive in its place: ${String(wrong)} of the ${String(KEPT_WORDS)} words of it that were looked at are not its own.`
  }
  return null
}

/** Waits before and behind which something is handed over, and nothing meanwhile, those of one gap as one; and the wait at the end. */
export function countWaits(trace: Trace, run: RunOf<Uploads>): number {
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

export const output = outputIs(missingPart, (run) => `All ${String(run?.facts.parts)} parts arrived`)
export const work = uploadedBytes(({ facts }) => facts.parts * PART_BYTES)

export const rules: MendRules = {
  experiment: 'transfer-cost',
  language: 'javascript',
  figure: took('until all parts were there'),
  checks: checksOf({
    output,
    work,
    waits: atMost(MOST_WAITS, countWaits, (count) => `Your program waited ${times(count)} in a run`, waitsOf),
    time: halfTheTime,
  }),
}
