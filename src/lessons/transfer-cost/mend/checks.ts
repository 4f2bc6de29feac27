/** All parts there, carried once, with at most one wait. */
import { filled, fillValue } from '../../../gpu/kernels/data/fill'
import { bitsOf, gatherPosition, gatherSeed } from '../../../gpu/kernels/data/gather'
import { onDevice, type Names } from '../../../exercises/names'
import type { ExerciseRules } from '../../../exercises/exercise'
import type { RunOf } from '../../../exercises/types'
import { checksOf, rulesFor, times } from '../../../exercises/rules'
import { blockingWaitsOf, submissionsOf, uploadsOf, waitsOf } from '../../../exercises/trace-of-run'
import type { Trace } from '../../../trace/schema'

/** 16 KiB, as in the lesson. */
export const PART_WORDS = 4096
export const PART_BYTES = 4 * PART_WORDS

/** All parts, one behind the other, as the buffer on the device is to hold them. */
export const contentOf = (seed: number, parts: number): Float32Array<ArrayBuffer> =>
  filled(parts * PART_WORDS, seed)

/** Of each part so many words are looked at: one that is missing, or in another place, differs in nearly all of them. */
export const KEPT_WORDS = 16

/** Where in the buffer the device reads them, and the bits that must be there. */
export const positionsOf = (part: number): readonly number[] =>
  Array.from(
    { length: KEPT_WORDS },
    (_, index) => part * PART_WORDS + gatherPosition(index, gatherSeed(part), PART_WORDS),
  )
export const bitsAt = (position: number, seed: number): number => bitsOf(fillValue(position, seed))

/** What a run notes. */
export type Uploads = {
  facts: { seed: number; parts: number }
  /** KEPT_WORDS of each part. */
  found: { arrived: ArrayLike<number> }
}

/** What the program is given, a line each: prepare.ts makes it. */
export const input = {
  part: { takes: '(step)', says: 'The numbers of a part, as the host has them.' },
  parts: { says: 'How many parts there are.' },
  target: { says: 'A buffer on the GPU, with room for all parts.' },
  bytes: { says: 'The size of a part.' },
} as const satisfies Names
export const scope = onDevice(input)

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

const output = outputIs(missingPart, (run) => `All ${String(run?.facts.parts)} parts arrived`)
const work = uploadedBytes(({ facts }) => facts.parts * PART_BYTES)

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
      (trace, run) => countWaits(trace, run) / run.facts.parts,
      (count) =>
        count > MOST_WAITS
          ? `Your program waited ${times(count)} for each part`
          : 'Your program waited at most once for each part',
      waitsOf,
    ),
    time: halfTheTime,
  }),
}
