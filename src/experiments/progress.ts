/** How far a run is, for whoever watches it. */

export interface Progress {
  /** 0 to 1. */
  readonly fraction: number
  /** 'calibrating', 'verifying', 'warm-up', 'every-4, repeat 2 of 5'. */
  readonly message: string
  readonly variant: string
  readonly repeat: number
  /** Left out while programs run: before them and after them no line of one does. */
  readonly region?: 'setup' | 'done'
}
