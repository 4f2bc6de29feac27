/**
 * Plays a program (program.ts), as recorded or with an edit. Max and plus alone, in the recorded
 * order.
 */
import { MAIN_THREAD, type Program } from './program'

/** A change of a program, by index of stretch or work; what is left out is as recorded. */
export interface Edit {
  /** The host's own time in a stretch, ns. */
  readonly hostNs?: Float64Array
  /** 0: the host does not wait in this stretch. */
  readonly waits?: Uint8Array
  /** From the end of what a stretch awaits to its own, ns. */
  readonly noticeNs?: Float64Array
  /** Length of work on the device, without a wait for another rank, ns. */
  readonly workNs?: Float64Array
  /** False: the other ranks are there when a collective begins. */
  readonly ranksWait?: boolean
  /** From its call to the earliest that work can begin, ns. */
  readonly latencyNs?: Float64Array
  /** The most that work begins later than the stream and the host allow, ns. */
  readonly pauseNs?: Float64Array
  /** 1: this work is not done, nor waited for. */
  readonly isGone?: Uint8Array
  /** Stream of work; `program.streams` and above are new ones. */
  readonly stream?: Int32Array
  /** 0: other work does not wait for this, but the end of its step does. */
  readonly isAwaited?: Uint8Array
  /** On the times at which batches of other processes arrive; 0: they are there when asked for. */
  readonly arrivals?: number
}

export interface Played {
  /**
   * Ends of steps: host and all work launched until then, ns from the program's start, over all
   * rounds.
   */
  readonly stepEndsNs: readonly number[]
  /** The last round's, by index of work. */
  readonly workStartNs: Float64Array
  readonly workEndNs: Float64Array
}

/** Work that ends within this share of a period after its due time counts as on time. */
const IN_TIME = 0.05

/** When everything began and ended: at `round * count + index`. Written anew by each play. */
export interface PlayLog {
  readonly stretchStartNs: Float64Array
  readonly stretchEndNs: Float64Array
  readonly workStartNs: Float64Array
  readonly workEndNs: Float64Array
  /** How many of these rows the last play wrote. */
  stretchRows: number
  workRows: number
  stepEndsNs: readonly number[]
  /**
   * The last round is played until the host begins nothing before this step's end; counted over all
   * rounds.
   */
  readonly untilStep: number
}

export const makePlayLog = ({ stretches, work }: Program, rounds: number, untilStep: number): PlayLog => ({
  stretchStartNs: new Float64Array(rounds * stretches.length),
  stretchEndNs: new Float64Array(rounds * stretches.length),
  workStartNs: new Float64Array(rounds * work.length),
  workEndNs: new Float64Array(rounds * work.length),
  stretchRows: 0,
  workRows: 0,
  stepEndsNs: [],
  untilStep,
})

/** One of copies and one of collectives: without.ts. */
const EXTRA_STREAMS = 2

/** One value a row. */
export function columnOf<R>(rows: readonly R[], valueOf: (row: R, at: number) => number): Float64Array {
  const values = new Float64Array(rows.length)
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at]
    if (row !== undefined) values[at] = valueOf(row, at)
  }
  return values
}

/**
 * @param rounds how often the recorded steps follow each other: with two, the first has filled the
 *   queues and the second is what a longer run would do
 */
export function play(program: Program, edit: Edit = {}, rounds = 2, log: PlayLog | null = null): Played {
  const { stretches, work, threads, streams, startNs, stepEndsNs } = program
  const { hostNs, waits, noticeNs, workNs, latencyNs, pauseNs, isGone, stream: streamOf, isAwaited } = edit
  const { arrivals = 1, ranksWait = true } = edit
  const lengthNs = program.endNs - startNs
  const clocks = new Float64Array(threads)
  const streamFreeNs = new Float64Array(streams + EXTRA_STREAMS).fill(-Infinity)
  const workStartNs = new Float64Array(work.length)
  const workEndNs = new Float64Array(work.length)
  const doneNs = new Float64Array(work.length)
  const endsNs = new Float64Array(threads > 1 ? stretches.length : 0)
  const ends: number[] = []
  let lastDeviceNs = -Infinity
  let pacedNs = Number.NaN
  let mainBeganNs = 0
  for (let round = 0; round < rounds; round += 1) {
    // Batches and ranks, which others bring, come no sooner than recorded.
    const roundNs = round * lengthNs
    let [step, launched] = [0, -1]
    const firstRow = round * stretches.length
    const endSteps = (untilNs: number) => {
      while (step < stepEndsNs.length && (stepEndsNs[step] ?? Infinity) <= untilNs) {
        ends.push(Math.max(clocks[MAIN_THREAD] ?? 0, lastDeviceNs))
        step += 1
      }
    }
    for (let at = 0; at < stretches.length; at += 1) {
      const stretch = stretches[at]
      if (!stretch) break
      endSteps(stretch.startNs)
      let beginNs = clocks[stretch.thread] ?? 0
      if (threads > 1) {
        const { thread, followsNs, behind, behindNs } = stretch
        const mainNs = clocks[MAIN_THREAD] ?? 0
        if (thread === MAIN_THREAD) mainBeganNs = beginNs
        else if (followsNs >= 0) beginNs = Math.max(beginNs, Math.min(mainBeganNs + followsNs, mainNs))
        if (behind >= 0) beginNs = Math.max(beginNs, (endsNs[behind] ?? 0) + behindNs)
      }
      if (log && round === rounds - 1 && beginNs > (ends[log.untilStep] ?? Infinity)) break
      const { launches, awaits, entersAfter } = stretch
      for (let i = 0; i < launches.length; i += 1) {
        const index = launches[i] ?? -1
        const own = work[index]
        if (!own) continue
        const stream = streamOf?.[index] ?? own.stream
        if (isGone?.[index] === 1) {
          workStartNs[index] = workEndNs[index] = -Infinity
          // Whoever waits for it waits for what comes before it on its stream.
          doneNs[index] = streamFreeNs[stream] ?? -Infinity
          launched = index
          continue
        }
        let start = Math.max(
          beginNs + (latencyNs?.[index] ?? own.latencyNs),
          (streamFreeNs[stream] ?? -Infinity) + (pauseNs?.[index] ?? own.pauseNs),
        )
        if (own.after >= 0 && isAwaited?.[own.after] !== 0)
          start = Math.max(start, (doneNs[own.after] ?? 0) + own.afterNs)
        let end = start + (workNs?.[index] ?? own.lengthNs - own.waitNs)
        // The last rank comes when it came, whatever this one does.
        if (own.waitNs > 0 && ranksWait) end = Math.max(end, roundNs + own.startNs + own.lengthNs - startNs)
        workStartNs[index] = start
        workEndNs[index] = doneNs[index] = end
        streamFreeNs[stream] = end
        lastDeviceNs = Math.max(lastDeviceNs, end)
        launched = index
      }
      let endNs = beginNs + (hostNs?.[at] ?? stretch.lengthNs)
      if (waits?.[at] !== 0) {
        for (let i = 0; i < awaits.length; i += 1)
          endNs = Math.max(endNs, (doneNs[awaits[i] ?? -1] ?? 0) + (noticeNs?.[at] ?? stretch.noticeNs))
        if (entersAfter >= 0) endNs = Math.max(endNs, (workStartNs[entersAfter] ?? 0) + stretch.noticeNs)
      }
      if (stretch.arrivesNs >= 0 && arrivals > 0)
        endNs = Math.max(endNs, arrivals * (roundNs + stretch.arrivesNs - startNs))
      const { everyNs } = stretch
      if (everyNs > 0) {
        const missed = stretch.isTimer ? 0 : Math.ceil((endNs - pacedNs) / everyNs - IN_TIME)
        const periods = Math.max(1, missed)
        if (!Number.isNaN(pacedNs)) endNs = Math.max(endNs, pacedNs + periods * everyNs)
        pacedNs = endNs
      }
      clocks[stretch.thread] = endNs
      if (threads > 1) endsNs[at] = endNs
      if (log) {
        log.stretchStartNs[firstRow + at] = beginNs
        log.stretchEndNs[firstRow + at] = endNs
        log.stretchRows = firstRow + at + 1
      }
    }
    endSteps(Infinity)
    if (log) {
      log.workStartNs.set(workStartNs, round * work.length)
      log.workEndNs.set(workEndNs, round * work.length)
      // Work is in the order of its launches.
      log.workRows = round * work.length + launched + 1
    }
    // Threads meet where the recorded steps end.
    const latest = clocks[MAIN_THREAD] ?? 0
    for (let thread = 0; thread < threads; thread += 1) clocks[thread] = Math.max(clocks[thread] ?? 0, latest)
  }
  if (log) log.stepEndsNs = ends
  return { stepEndsNs: ends, workStartNs, workEndNs }
}
