/** What a run notes of eight results, and what must be in them. */
import { median } from '../../../base/stats'
import { seededEntry } from '../../../gpu/kernels/matmul/seeded-entry'
import { rulesFor } from '../../../exercises/rules'
import type { RunOf } from '../../../exercises/run-facts'
import { submissionsOf, submissionsWith } from '../../../exercises/trace-of-run'
import type { ProgramReport } from '../../../exercises/types'

export type Results = {
  /** `rows` by step: the row of A·B that is its result, added up `times` times. */
  facts: { n: number; times: number; seedA: number; seedB: number; rows: readonly number[] }
  found: {
    /** Of each call of encode(): when, ns since the trace's origin, and how many products. */
    encodedNs: readonly number[]
    encodedTimes: readonly number[]
    /** Of each hand-over: of which step, and when. */
    handedSteps: readonly number[]
    handedNs: readonly number[]
    /** The numbers of all that was handed over, in that order. */
    words: ArrayLike<number>
  }
}

/** What is wrong with what a run handed over, in words; null where nothing is. */
export function wrongResult({ facts, found: { handedSteps, words } }: RunOf<Results>): string | null {
  const width = words.length / handedSteps.length
  for (const [step, row] of facts.rows.entries()) {
    const given = handedSteps.filter((each) => each === step).length
    if (given !== 1)
      return `Result ${String(step)} was handed over ${given === 0 ? 'not at all' : `${String(given)} times`}.`
    for (let column = 0; column < width; column += 1) {
      const { value, allowed } = seededEntry(facts, row, column)
      const got = words[handedSteps.indexOf(step) * width + column] ?? Number.NaN
      if (!(Math.abs(got - value) <= allowed))
        return `Number ${String(column)} of result ${String(step)} is ${got.toPrecision(6)}; it should be ${value.toPrecision(6)}.`
    }
  }
  return null
}

export const RUN = 'results'
const { runsOf } = rulesFor<Results>(RUN)

/** In how many runs the first result was handed over before the last product was reported; null where none can be said. */
export function earlyRuns(
  report: ProgramReport | null,
): { readonly early: number; readonly runs: number } | null {
  const [runs, trace] = [runsOf(report), report?.trace]
  if (!trace || runs.length === 0) return null
  const early = runs.filter((run) => {
    const last = submissionsWith(trace, run, run.found.encodedNs).at(-1)
    const isEarly = last && Math.min(...run.found.handedNs) < (last.completedNs ?? Infinity)
    return isEarly === true && submissionsOf(trace, run).length > 1
  })
  return { early: early.length, runs: runs.length }
}

/** Until the first was handed over: the median, ms. */
export function firstMs(report: ProgramReport): number | null {
  const firsts = runsOf(report).flatMap(({ startNs, found: { handedNs } }) =>
    handedNs.length > 0 ? [(Math.min(...handedNs) - startNs) / 1e6] : [],
  )
  return firsts.length > 0 ? median(firsts) : null
}
