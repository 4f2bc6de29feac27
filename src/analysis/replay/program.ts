/**
 * A profile as a program that can be run again: host threads as stretches in order, the work that
 * they launch on streams, and the waits that end because work has ended (Daydream, Zhu et al.,
 * USENIX ATC 2020). Times in host ns. Every length and latency is as recorded, so that the program
 * played unchanged gives the recorded times.
 */
import type { Cause } from './causes'

/** A stretch of a host thread, in which it did one thing. */
export interface Stretch {
  readonly thread: number
  readonly startNs: number
  /** The host's own time in it, without waiting for a device. */
  readonly lengthNs: number
  readonly endNs: number
  /** Innermost recorded span; -1: nothing is recorded. */
  readonly span: number
  /** Why the host spent it; null: the device is what held it, as in a full launch queue. */
  readonly cause: Cause | null
  /** Index into `chains`: the reader's own functions that it lies in; -1 where none is recorded. */
  readonly code: number
  /** In an operator that brings a value to the host, with all that the operator does. */
  readonly isRead: boolean
  /** Nothing names what the host did, beyond what the front end of operators takes. */
  readonly isUnrecorded: boolean
  /** Work that must have ended before it ends: a wait of the host. */
  readonly awaits: readonly number[]
  /** From the end of that work to the end of the stretch. */
  readonly noticeNs: number
  /** Work that must have begun before it ends: the launch queue is full until then. */
  readonly entersAfter: number
  /** Work that it launches at its start. */
  readonly launches: readonly number[]
  /**
   * Recorded moment before which it can't end: a batch of another process arrived then. -1: none.
   */
  readonly arrivesNs: number
  /**
   * It ends a whole number of these after the last stretch that has one: frames of a display,
   * timers. 0: it has none.
   */
  readonly everyNs: number
  /** It may end later than that by any time: a timer that is overdue comes at once. */
  readonly isTimer: boolean
  /**
   * On a thread beside the main one nothing is recorded before it: it begins no sooner than the
   * main thread is where it was then, and this long after the beginning of that stretch, ns. -1:
   * something is recorded.
   */
  readonly followsNs: number
  /** Another thread's stretch, after whose end it begins no sooner than `behindNs`; -1: none. */
  readonly behind: number
  readonly behindNs: number
}

/** One kernel, copy or collective on a stream. */
export interface Work {
  readonly span: number
  /** The span of the call that launched it. */
  readonly call: number
  readonly stream: number
  readonly startNs: number
  readonly lengthNs: number
  /** The time that a collective waited for the last rank: known if ranks are joined. */
  readonly waitNs: number
  /** Shortest time that the device's peak allows a slow kernel; for all others their length. */
  readonly leastNs: number
  /** From its call's start to the earliest that it can begin. */
  readonly latencyNs: number
  /** From the end of the work before it on its stream to the earliest that it can begin. */
  readonly pauseNs: number
  /** The part of that pause that a callback of the host within a graph takes. */
  readonly callbackNs: number
  /** Work of another stream that it waits for; -1: none. */
  readonly after: number
  /** From the end of that work to the earliest that it can begin. */
  readonly afterNs: number
  /** It brings a value to the host, or is launched by an operator that does. */
  readonly isRead: boolean
  /** The kernel is a matrix product of float32 that uses no tensor cores. */
  readonly isFloat32: boolean
  /** Moved by a copy; NaN where the file does not say. */
  readonly bytes: number
  readonly cause: Cause | null
  /**
   * Index into `chains`: it is the device's part of a page's call (tie-page.ts); -1: a kernel, copy
   * or collective.
   */
  readonly code: number
}

/** The thread whose steps are marked. */
export const MAIN_THREAD = 0

export interface Program {
  /** In the order of their starts, over all threads. */
  readonly stretches: readonly Stretch[]
  /** In the order of their launches. */
  readonly work: readonly Work[]
  readonly threads: number
  readonly streams: number
  readonly startNs: number
  readonly endNs: number
  /** Ends of the steps on the host, in order; the first step begins at `startNs`. */
  readonly stepEndsNs: readonly number[]
  /** The reader's functions, 'train.py(12): step', innermost first. */
  readonly chains: readonly (readonly string[])[]
}

/** Lists of stretches that launch or await nothing. */
const NONE: readonly number[] = []
/**
 * The parts of a program before anything is known of them. Functions, not objects to be spread: a
 * million copies of one literal have one shape, and take half the time.
 */
export const newStretch = (): Stretch => ({
  thread: 0,
  startNs: 0,
  lengthNs: 0,
  endNs: 0,
  span: -1,
  cause: null,
  code: -1,
  isRead: false,
  isUnrecorded: false,
  awaits: NONE,
  noticeNs: 0,
  entersAfter: -1,
  launches: NONE,
  arrivesNs: -1,
  everyNs: 0,
  isTimer: false,
  followsNs: -1,
  behind: -1,
  behindNs: 0,
})
export const newWork = (): Work => ({
  span: -1,
  call: -1,
  stream: 0,
  startNs: 0,
  lengthNs: 0,
  waitNs: 0,
  leastNs: 0,
  latencyNs: 0,
  pauseNs: 0,
  callbackNs: 0,
  after: -1,
  afterNs: 0,
  isRead: false,
  isFloat32: false,
  bytes: Number.NaN,
  cause: null,
  code: -1,
})
