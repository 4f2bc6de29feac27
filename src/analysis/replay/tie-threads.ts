/**
 * Threads that wait for each other. No profiler records such waits; here they are inferred from who
 * went on when:
 * - A pause of the main thread is a wait for another one that worked until it ended, and paused
 *   then.
 * - A pause of another thread is a wait for whoever worked until it ended. Else it lasts until the
 *   main thread is where it was then, or, while that one waits, it is work that nobody records.
 * - A call that is long because another thread's blocking call holds the driver's lock ends with
 *   that one.
 */
import { lowerBound, upperBound } from '../../base/search'
import { orderStatistic } from '../../base/stats'
import { dispatchNs } from './blanks'
import type { Draft, DraftStretch } from './draft'
import { MAIN_THREAD } from './program'

/** From the end of what one thread did until the other goes on, Python's own lock between them. */
const WAKES_NS = 300_000
/** A shorter call is held by nobody, and a thread that goes on within it does not wait. */
const SHORT_NS = 50_000
/** A call of so many times the usual length was held. */
const HELD = 5

/** @returns all stretches, by start */
export function tieThreads(draft: Draft, stretches: readonly DraftStretch[]): readonly DraftStretch[] {
  if (draft.threads < 2) return stretches
  const threads = Array.from({ length: draft.threads }, (_, thread) => new Thread(stretches, thread))
  const isPause = isPauseOf(draft)
  const main = threads[MAIN_THREAD] ?? new Thread([], MAIN_THREAD)
  const waits = main.all.filter((each) => isPause(each) && waitsForAnother(each, threads))
  const waitStarts = Float64Array.from(waits, ({ startNs }) => startNs)
  for (const thread of threads.slice(MAIN_THREAD + 1))
    for (const pause of thread.all) {
      if (!isPause(pause) || waitsForAnother(pause, threads)) continue
      const wait = waits[upperBound(waitStarts, pause.endNs) - 1]
      if (!wait || wait.endNs < pause.endNs) followMain(pause, threads)
      else {
        pause.cause = 'host-code'
        pause.isUnrecorded = true
      }
    }
  const all = [...stretches, ...heldCalls(draft, threads)].sort((a, b) => a.startNs - b.startNs)
  const indexOf = new Map(all.map((each, index) => [each, index]))
  for (const each of all) if (each.behindOther) each.behind = indexOf.get(each.behindOther) ?? -1
  return all
}

class Thread {
  readonly all: readonly DraftStretch[]
  readonly starts: Float64Array
  /** Without what nobody records. */
  readonly recorded: readonly DraftStretch[]
  readonly recordedEnds: Float64Array

  constructor(stretches: readonly DraftStretch[], thread: number) {
    this.all = stretches.filter((each) => each.thread === thread)
    this.starts = Float64Array.from(this.all, ({ startNs }) => startNs)
    this.recorded = this.all.filter((each) => !isBlank(each))
    this.recordedEnds = Float64Array.from(this.recorded, ({ endNs }) => endNs)
  }

  /** The stretch that has begun by then. */
  at(ns: number): DraftStretch | undefined {
    return this.all[upperBound(this.starts, ns) - 1]
  }

  after({ startNs, endNs }: DraftStretch): DraftStretch | undefined {
    return this.all[lowerBound(this.starts, Math.max(endNs, startNs + 1))]
  }
}

const isBlank = ({ at, isUnrecorded, thread }: DraftStretch): boolean =>
  isUnrecorded || (thread !== MAIN_THREAD && at < 0)
const isPauseOf =
  (draft: Draft) =>
  (stretch: DraftStretch): boolean =>
    isBlank(stretch) &&
    stretch.endNs - stretch.startNs > dispatchNs(draft, stretch.thread) &&
    stretch.arrivesNs < 0

function waitsForAnother(pause: DraftStretch, threads: readonly Thread[]): boolean {
  const next = threads[pause.thread]?.after(pause)
  let found: DraftStretch | null = null
  for (const [thread, { recorded, recordedEnds }] of threads.entries()) {
    if (thread === pause.thread) continue
    const past = upperBound(recordedEnds, pause.endNs)
    const last = recorded[past - 1]
    if (!last || last.endNs <= Math.max(pause.startNs, pause.endNs - WAKES_NS)) continue
    // The main thread's own code runs beside one that goes on.
    const isBusy = (recorded[past]?.startNs ?? Infinity) - last.endNs < SHORT_NS
    if (pause.thread === MAIN_THREAD && isBusy) continue
    if (!found || last.endNs > found.endNs) found = last
  }
  if (!next || !found) return false
  endPause(pause)
  next.behindOther = found
  next.behindNs = next.startNs - found.endNs
  return true
}

function followMain(pause: DraftStretch, threads: readonly Thread[]): void {
  endPause(pause)
  const next = threads[pause.thread]?.after(pause)
  if (next) next.followsNs = next.startNs - (threads[MAIN_THREAD]?.at(next.startNs)?.startNs ?? next.startNs)
}

function endPause(pause: DraftStretch): void {
  pause.cause = null
  pause.isUnrecorded = false
  pause.lengthNs = 0
}

/** Cuts each where the call that held it returns. @returns what is left of them after that */
function heldCalls({ names, work }: Draft, threads: readonly Thread[]): readonly DraftStretch[] {
  const usualNs = orderStatistic(
    threads.flatMap(({ all }) =>
      all.flatMap(({ launches, lengthNs }) => (launches.length > 0 ? [lengthNs] : [])),
    ),
    0.5,
    SHORT_NS,
  )
  const isHolder = ({ span, cause }: DraftStretch) =>
    span >= 0 &&
    (cause === 'pageable-copies' || cause === 'read-back' || cause === 'allocation') &&
    names.kindOf(span) !== 'wait'
  const holders = threads.map(({ recorded }) => recorded.filter(isHolder))
  const isHeld = ({ cause, lengthNs }: DraftStretch) =>
    cause === 'dispatch' && lengthNs >= Math.max(SHORT_NS, HELD * usualNs)
  return threads.flatMap(({ all }, thread) =>
    all.filter(isHeld).flatMap((held) => {
      const { startNs, endNs } = held
      const holder = holders
        .flatMap((list, of) => (of === thread ? [] : list))
        .find(
          (each) =>
            each.startNs < startNs + usualNs &&
            each.endNs > startNs &&
            Math.abs(each.endNs - endNs) < WAKES_NS,
        )
      if (!holder) return []
      const restNs = Math.max(startNs, Math.min(endNs - usualNs, holder.endNs))
      const rest: DraftStretch = {
        ...held,
        startNs: restNs,
        lengthNs: endNs - restNs,
        behindOther: holder,
        behindNs: restNs - holder.endNs,
      }
      for (const index of held.launches) {
        const launched = work[index]
        if (launched) launched.latencyNs = Math.max(0, launched.latencyNs - (restNs - startNs))
      }
      endPause(held)
      held.endNs = restNs
      held.launches = []
      return [rest]
    }),
  )
}
