/** What analysis finds in a placed trace. Plain data; the timeline draws it without knowing how it was found. */

/** Why the device was idle. DESIGN: each gap is an object with its cause, evidence and cost. */
export type GapCause =
  | 'host-waited' // the host was awaiting a result before it submitted what came next (a sync stall)
  | 'host-late' // the host was at work (encoding, filling, JavaScript) and had submitted nothing
  | 'upload-not-ready' // the next submission waited for its bytes: a staging buffer was mapped or filled, or an upload was still on its way
  | 'launch-overhead' // the next pass had been submitted before the gap began: scheduling between queued submissions
  | 'unknown' // the evidence does not decide (bounds too wide, or nothing recorded)
  | 'rank-waited' // the host was in send() or recv(), or another collective, before it submitted what came next: it waited for another rank

export interface Gap {
  /** Device lane. */
  readonly lane: number
  /** Placed on the host's clock. */
  readonly startNs: number
  readonly endNs: number
  /** Length in device ticks: exact to the quantum, no clock fit needed. */
  readonly durationNs: number
  readonly cause: GapCause
  /** One sentence with the figures: 'host awaited mapAsync of submission 12 for 3.1 of these 3.2 ms'. */
  readonly evidence: string
  /** Spans (trace indices) that are the evidence; the pass before and after. */
  readonly spans: readonly number[]
  readonly before: number
  readonly after: number
  readonly variant: number
  readonly repeat: number
}

export interface Interval {
  readonly start: number
  readonly end: number
}

/**
 * Whose a moment of the critical path is. host, device: at work; launch: called, not begun; stream, switch: the work before has ended;
 * notice: ended, and the host does not know yet; message: one rank has sent or asked for it, and the other's call has not returned.
 */
export const PATH_WHO = ['host', 'launch', 'device', 'stream', 'switch', 'notice', 'message'] as const
export type PathWho = (typeof PATH_WHO)[number]

/** In order of time; columns, for a path may have 10^5 of them, and comes from another thread. */
export interface DrawnStretches {
  readonly length: number
  /** The same list for all. */
  readonly owners: readonly PathWho[]
  /** Index into `owners`. */
  readonly who: Uint8Array<ArrayBuffer>
  /** Of it or led to by it; -1: the host between its calls. */
  readonly span: Int32Array<ArrayBuffer>
  readonly startNs: Float64Array<ArrayBuffer>
  readonly endNs: Float64Array<ArrayBuffer>
}

/** One chain without holes: of one repeat, or of a whole trace. */
export interface DrawnPart {
  /** 'every-step, repeat 3'; '' for a whole trace. */
  readonly title: string
  readonly startNs: number
  readonly endNs: number
  readonly stretches: DrawnStretches
}

/** A critical path to be drawn. */
export interface DrawnPath {
  /** In order of time, none into the next. */
  readonly parts: readonly DrawnPart[]
  /** Where there is none, why: a sentence each. */
  readonly problems: readonly string[]
}
