/** Plays a program (program.ts), as recorded or with an edit. Max and plus alone, in the recorded order. */
import type { Program } from './program'

/** A change of a program, by index of stretch or work; undefined keeps what was recorded. */
export interface Edit {
  /** The host's own time in a stretch, ns. */
  readonly hostNs?: (stretch: number) => number
  /** False: the host does not wait in this stretch. */
  readonly waits?: (stretch: number) => boolean
  /** Length of work on the device, without a wait for another rank, ns. */
  readonly workNs?: (work: number) => number
  /** False: the other ranks are there when a collective begins. */
  readonly ranksWait?: boolean
  /** From its call to the earliest that work can begin, ns. */
  readonly latencyNs?: (work: number) => number
  /** The most that work begins later than the stream and the host allow, ns. */
  readonly pauseNs?: (work: number) => number
  /** True: this work is not done, nor waited for. */
  readonly isGone?: (work: number) => boolean
  /** Stream of work; `program.streams` and above are new ones. */
  readonly stream?: (work: number) => number
  /** False: other work does not wait for this, but the end of its step does. */
  readonly isAwaited?: (work: number) => boolean
  /** On the times at which batches of other processes arrive; 0: they are there when asked for. */
  readonly arrivals?: number
}

export interface Played {
  /** Ends of steps: host and all work launched until then, ns from the program's start, over all rounds. */
  readonly stepEndsNs: readonly number[]
  /** Of the last round, by index. */
  readonly stretchEndNs: Float64Array
  readonly workStartNs: Float64Array
  readonly workEndNs: Float64Array
}

const EXTRA_STREAMS = 4

/**
 * @param rounds how often the recorded steps follow each other: with two, the first has filled the
 *   queues and the second is what a longer run would do
 */
export function play(program: Program, edit: Edit = {}, rounds = 2): Played {
  const { stretches, work, threads, streams, startNs, stepEndsNs, mainThread } = program
  const arrivals = edit.arrivals ?? 1
  const lengthNs = program.endNs - startNs
  const clocks = new Float64Array(threads)
  const streamFreeNs = new Float64Array(streams + EXTRA_STREAMS).fill(-Infinity)
  const workStartNs = new Float64Array(work.length)
  const workEndNs = new Float64Array(work.length)
  const stretchEndNs = new Float64Array(stretches.length)
  const ends: number[] = []
  let lastDeviceNs = -Infinity
  for (let round = 0; round < rounds; round += 1) {
    // What others bring, batches and ranks, comes no sooner than recorded.
    const roundNs = round * lengthNs
    let step = 0
    const endSteps = (untilNs: number) => {
      while (step < stepEndsNs.length && (stepEndsNs[step] ?? Infinity) <= untilNs) {
        ends.push(Math.max(clocks[mainThread] ?? 0, lastDeviceNs))
        step += 1
      }
    }
    for (let at = 0; at < stretches.length; at += 1) {
      const stretch = stretches[at]
      if (!stretch) break
      endSteps(stretch.startNs)
      const beginNs = clocks[stretch.thread] ?? 0
      for (const index of stretch.launches) {
        const own = work[index]
        if (!own) continue
        if (edit.isGone?.(index) === true) {
          workStartNs[index] = workEndNs[index] = -Infinity
          continue
        }
        const stream = edit.stream?.(index) ?? own.stream
        const pauseNs = edit.pauseNs?.(index) ?? own.pauseNs
        let start = Math.max(
          beginNs + (edit.latencyNs?.(index) ?? own.latencyNs),
          (streamFreeNs[stream] ?? -Infinity) + pauseNs,
        )
        if (own.after >= 0 && (edit.isAwaited?.(own.after) ?? true))
          start = Math.max(start, (workEndNs[own.after] ?? 0) + own.afterNs)
        let end = start + (edit.workNs?.(index) ?? own.lengthNs - own.waitNs)
        // The last rank comes when it came, whatever this one does.
        if (own.waitNs > 0 && (edit.ranksWait ?? true))
          end = Math.max(end, roundNs + own.startNs + own.lengthNs - startNs)
        workStartNs[index] = start
        workEndNs[index] = end
        streamFreeNs[stream] = end
        lastDeviceNs = Math.max(lastDeviceNs, end)
      }
      let endNs = beginNs + (edit.hostNs?.(at) ?? stretch.lengthNs)
      if (edit.waits?.(at) ?? true) {
        for (const index of stretch.awaits)
          endNs = Math.max(endNs, (workEndNs[index] ?? 0) + stretch.noticeNs)
        if (stretch.entersAfter >= 0)
          endNs = Math.max(endNs, (workStartNs[stretch.entersAfter] ?? 0) + stretch.noticeNs)
      }
      if (stretch.arrivesNs >= 0 && arrivals > 0)
        endNs = Math.max(endNs, arrivals * (roundNs + stretch.arrivesNs - startNs))
      clocks[stretch.thread] = endNs
      stretchEndNs[at] = endNs
    }
    endSteps(Infinity)
    // Threads meet where the recorded steps end.
    const latest = clocks[mainThread] ?? 0
    for (let thread = 0; thread < threads; thread += 1) clocks[thread] = Math.max(clocks[thread] ?? 0, latest)
  }
  return { stepEndsNs: ends, stretchEndNs, workStartNs, workEndNs }
}
