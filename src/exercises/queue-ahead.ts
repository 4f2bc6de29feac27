/**
 * Tells whether the device had work, as far as the program knew, whenever the host went on to the
 * next part.
 */
import type { Trace } from '../trace/schema'
import { cannotTell, no, rulesFor, yes, type Ask } from './rules'
import type { Found, RunOf } from './types'
import { atLines, submissionsWith, waitsOf, type RunSpan, type RunSubmission } from './trace-of-run'

interface Supply<F extends Found> {
  /** When the parts of the work were encoded: submissions with one of them keep the device busy. */
  readonly encodedNs: (run: RunOf<F>) => ArrayLike<number>
  /**
   * When the host went on to a part, ns; where it is not named, whenever one was submitted. Nothing
   * can be under way before the first.
   */
  readonly moments?: (trace: Trace, run: RunOf<F>) => readonly number[]
  /** Moments of a run, and of all runs their share, that are let pass. */
  readonly most: { readonly dry: number; readonly lateShare: number }
  /** 'a step was submitted': what happened at such a moment. */
  readonly what: string
  /** Said where a run has no second part; else nothing is wrong with that. */
  readonly alone?: string
}

/**
 * dry: it had waited for all that was submitted, and for nothing else since. late: without a wait,
 * all was reported complete, as polling makes it and a busy machine. A wait for an earlier part, or
 * one of a reader beside it, is neither.
 */
function supplyAt(
  atNs: number,
  parts: readonly RunSubmission[],
  waits: readonly RunSpan[],
): { readonly is: 'ahead' | 'late' | 'dry'; readonly wait?: RunSpan } {
  const newest = parts.findLast(({ startNs }) => startNs < atNs)
  if (!newest) return { is: 'dry' }
  const wait = waits.find(
    ({ submission, startNs, endNs }) => submission >= newest.id && startNs >= newest.startNs && endNs <= atNs,
  )
  if (wait) return { is: 'dry', wait }
  return { is: newest.completedNs !== null && newest.completedNs <= atNs ? 'late' : 'ahead' }
}

export const queueAhead =
  <F extends Found>(name: string | undefined, supply: Supply<F>): Ask =>
  ({ yours }) => {
    const { trace } = yours
    if (!trace) return cannotTell('Nothing was recorded.')
    const { most, what } = supply
    const all = { ahead: 0, late: 0, dry: 0 }
    const went = (count: number, of: number) => `${String(count)} of ${String(of)} times ${what}`
    for (const run of rulesFor<F>(name).runsOf(yours)) {
      const parts = submissionsWith(trace, run, Array.from(supply.encodedNs(run)))
      const waits = waitsOf(trace, run)
      const moments = supply.moments?.(trace, run) ?? parts.map(({ startNs }) => startNs)
      if (moments.length < 2 && supply.alone !== undefined) return no(supply.alone)
      const found = moments.slice(1).map((atNs) => supplyAt(atNs, parts, waits))
      for (const { is } of found) all[is] += 1
      const dry = found.filter(({ is }) => is === 'dry').length
      if (dry > most.dry)
        return no(
          `${went(dry, found.length)} when your program had waited for all before it${atLines(found.flatMap(({ wait }) => wait ?? []))}: the GPU had nothing to do meanwhile.`,
        )
    }
    const count = all.ahead + all.late + all.dry
    return all.late > most.lateShare * count
      ? no(
          `${went(all.late, count)} when all before it had been reported complete: the GPU had nothing to do meanwhile.`,
        )
      : yes(`${went(all.ahead, count)} while the GPU still had the one before it.`)
  }
