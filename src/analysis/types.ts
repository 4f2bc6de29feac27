/**
 * Results of analysis of a placed trace. Plain data; the timeline draws it without knowing how it
 * was found.
 */

export interface Interval {
  readonly start: number
  readonly end: number
}

/**
 * Whose a moment of the critical path is. host, device: at work; launch: called, not begun; stream:
 * the work before has ended; notice: ended, and the host does not know yet; message: one rank has
 * sent or asked for it, and the other's call has not returned.
 */
export const PATH_OWNERS = ['host', 'launch', 'device', 'stream', 'notice', 'message'] as const
export type PathOwner = (typeof PATH_OWNERS)[number]

/** In order of time; columns, for a path may have 10^5 of them, and comes from another thread. */
export interface PathColumns {
  readonly length: number
  /** The same list for all. */
  readonly owners: readonly PathOwner[]
  /** By owner: how much of the time is theirs. */
  readonly ns: readonly number[]
  /** Index into `owners`. */
  readonly who: Uint8Array<ArrayBuffer>
  /** The span that it is or leads to; -1: the host between its calls. */
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
  readonly segments: PathColumns
}

/** A critical path to be drawn. */
export interface DrawnPath {
  /** In order of time, none into the next. */
  readonly parts: readonly DrawnPart[]
  /** If there is no path, why: a sentence each. */
  readonly problems: readonly string[]
}
